import { parseDocument, type Document, type Node, type YAMLError } from "yaml";
import { isNestedTooDeeply } from "../../contract/yaml-nesting.ts";
import type { Report } from "./finding.ts";
import type { LineIndex } from "../text/line-index.ts";
import { yamlError } from "./yaml-error.ts";

/**
 * Errors that leave the structure of the file clear. Behind any other, whatever was said about steps and keys would be a
 * guess, so those are reported alone.
 */
const harmless = new Set("BAD_DQ_ESCAPE BAD_SCALAR_START BAD_DIRECTIVE MULTIPLE_DOCS TAG_RESOLVE_FAILED".split(" "));

/**
 * The file's nodes, read as YAML 1.2 with its core schema, whatever a directive says. Undefined when the structure is in
 * doubt. Does not throw. Repeated keys are left to the reader of the nodes, which knows both places.
 */
export function parseYaml(text: string, lines: LineIndex, report: Report): { root: Node | null } | undefined {
  const document = isNestedTooDeeply(text) ? undefined : parsed(text);
  const errors = document && telling([...document.errors, ...document.warnings], lines);
  if (!document || errors!.some((error) => error.code === "RESOURCE_EXHAUSTION")) {
    report({ offset: 0, message: "nested too deeply to be read" });
    return undefined;
  }
  for (const error of errors!) report(yamlError(error, text, document));
  return errors!.every((error) => harmless.has(error.code)) ? { root: document.contents } : undefined;
}

/** Warnings come in as errors: behind an unknown tag, say, stands another value than the writer meant. */
function parsed(text: string): Document.Parsed | undefined {
  try {
    return parseDocument(text, {
      version: "1.2",
      schema: "core",
      merge: false,
      resolveKnownTags: false,
      uniqueKeys: false,
      prettyErrors: false,
    });
  } catch (error) {
    // The parser recurses, and mostly says so itself when the stack is used up.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first error of each line, up to the one after which the parser only lists what is left. */
function telling(errors: readonly YAMLError[], lines: LineIndex): YAMLError[] {
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const lost = sorted.findIndex((error) => error.message.includes("token in YAML stream"));
  const perLine = new Map<number, YAMLError>();
  for (const error of lost === -1 ? sorted : sorted.slice(0, lost + 1)) {
    const { line } = lines.placeOf(error.pos[0]);
    if (!perLine.has(line)) perLine.set(line, error);
  }
  return [...perLine.values()];
}

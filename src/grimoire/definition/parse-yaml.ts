import { parseDocument, type Document, type Node, type YAMLError } from "yaml";
import { isNestedTooDeeply } from "../../contract/yaml-nesting.ts";
import type { Report } from "./unplaced-problem.ts";
import type { LineIndex } from "../text/line-index.ts";
import { yamlError } from "./yaml-error.ts";

/**
 * Errors that leave the structure of the file clear. After any other error, messages about steps and keys would be
 * guesses, so only the errors of the syntax are reported.
 */
const recoverableCodes = new Set(
  "BAD_DQ_ESCAPE BAD_SCALAR_START BAD_DIRECTIVE MULTIPLE_DOCS TAG_RESOLVE_FAILED".split(" "),
);

/**
 * The file's nodes, read as YAML 1.2 with its core schema, whatever a directive says. Undefined when the structure is in
 * doubt. Does not throw. Repeated keys are left to the reader of the nodes, which knows both places.
 */
export function parseYaml(text: string, lines: LineIndex, report: Report): { root: Node | null } | undefined {
  const document = isNestedTooDeeply(text) ? undefined : tryParse(text);
  // Warnings count as errors: an unknown tag, for one, gives another value than the author expects.
  const errors = document && relevantErrors([...document.errors, ...document.warnings], lines);
  if (!document || errors!.some((error) => error.code === "RESOURCE_EXHAUSTION")) {
    report({ offset: 0, message: "nested too deeply to be read" });
    return undefined;
  }
  for (const error of errors!) report(yamlError(error, text, document));
  return errors!.every((error) => recoverableCodes.has(error.code)) ? { root: document.contents } : undefined;
}

/** Undefined when the text is nested too deeply for the parser. */
function tryParse(text: string): Document.Parsed | undefined {
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
    // The parser recurses; mostly it reports itself that the stack is used up.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first error of each line, up to the first token that the parser cannot place: what follows are its leftovers. */
function relevantErrors(errors: readonly YAMLError[], lines: LineIndex): YAMLError[] {
  const sorted = [...errors].sort((a, b) => a.pos[0] - b.pos[0]);
  const lastIndex = sorted.findIndex((error) => error.message.includes("token in YAML stream"));
  const perLine = new Map<number, YAMLError>();
  for (const error of lastIndex === -1 ? sorted : sorted.slice(0, lastIndex + 1)) {
    const { line } = lines.placeOf(error.pos[0]);
    if (!perLine.has(line)) perLine.set(line, error);
  }
  return [...perLine.values()];
}

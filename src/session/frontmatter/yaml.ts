import { isScalar, LineCounter, parseDocument, type Document } from "yaml";
import { isNestedTooDeeply } from "../../contract/yaml-nesting.ts";
import { yamlWords } from "../../contract/yaml-messages.ts";
import { Damaged } from "./frontmatter.ts";
import { textKeys } from "./value.ts";
import { isObject } from "../../text/is-object.ts";

/** In characters. No person writes longer frontmatter. */
const maxLength = 1024 * 1024;

/**
 * Reads `key: value` lines that a person wrote in YAML's wider forms. Loaded only when it is needed. `firstLine` is the
 * line of the file in which the text begins.
 */
export function readYaml(inner: string, firstLine = 2): Record<string, unknown> {
  if (inner.length > maxLength) throw new Damaged(`line ${firstLine}: the frontmatter is longer than 1 MiB`);
  if (isNestedTooDeeply(inner)) throw new Damaged(`line ${firstLine}: nested too deeply to be read`);
  const lines = new LineCounter();
  // Made pretty, each error looks through the text again; and the parser must not write warnings by itself.
  const document = parseDocument(inner, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const problem = document.errors[0];
  if (problem) {
    const { line, col } = lines.linePos(problem.pos[0]);
    const { message, hint } = yamlWords(problem);
    throw new Damaged(
      `line ${line + firstLine - 1}, column ${col}: ${message}${hint === undefined ? "" : ` (${hint})`}`,
    );
  }
  const values = toValues(document, firstLine);
  if (values === null) return {};
  if (!isObject(values)) throw new Damaged(`line ${firstLine}: not a list of \`key: value\` lines`);
  return withTexts(document, values);
}

/** Aliases of nothing, and those that would grow without end, are only found here. */
function toValues(document: Document, firstLine: number): unknown {
  try {
    return document.toJS({ maxAliasCount: 50 }) as unknown;
  } catch (error) {
    const message = "an alias (*name) stands before its &name, or there are far too many of them";
    throw new Damaged(`line ${firstLine}: ${message}`, { cause: error });
  }
}

/** Numbers and booleans under keys that hold text, as they were written. */
function withTexts(document: Document, values: Record<string, unknown>): Record<string, unknown> {
  for (const key of textKeys) {
    const node: unknown = document.get(key, true);
    const isText = typeof values[key] === "string" || values[key] === null || values[key] === undefined;
    if (!isText && isScalar(node)) values[key] = node.source ?? String(node.value);
  }
  return values;
}

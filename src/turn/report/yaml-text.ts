import type { Json } from "../../contract/json.ts";
import { trimEndOf } from "../../text/trim.ts";
import { unicodeEscape } from "../../text/unicode-escape.ts";

/** In characters: longer texts stand on lines of their own. */
const longText = 80;

/** A mapping as lines of YAML. Keys stay in their order; every text reads back as it was. */
export function yamlLines(fields: { [key: string]: Json }, indent: string): string[] {
  return Object.entries(fields).flatMap(([key, value]) => withValue(`${indent}${yamlKey(key)}:`, value, indent));
}

/** What comes behind a key or a dash: in its line, or indented below. */
function withValue(head: string, value: Json, indent: string): string[] {
  if (typeof value === "string") return withText(head, value, `${indent}  `);
  if (value === null || typeof value !== "object") return [`${head} ${JSON.stringify(value)}`];
  const isList = Array.isArray(value);
  if (isList ? value.length === 0 : Object.keys(value).length === 0) return [`${head} ${isList ? "[]" : "{}"}`];
  const inner = `${indent}  `;
  return [head, ...(isList ? listLines(value, inner) : yamlLines(value, inner))];
}

function listLines(items: readonly Json[], indent: string): string[] {
  return items.flatMap((item) => {
    const isMapping = item !== null && typeof item === "object" && !Array.isArray(item);
    if (!isMapping || Object.keys(item).length === 0) return withValue(`${indent}-`, item, indent);
    const [first, ...rest] = yamlLines(item, `${indent}  `);
    return [`${indent}- ${first!.trimStart()}`, ...rest];
  });
}

function withText(head: string, text: string, indent: string): string[] {
  if (isPlain(text)) return [`${head} ${text}`];
  if (!canBeBlock(text) || (text.length <= longText && !text.includes("\n"))) return [`${head} ${quote(text)}`];
  // The indentation is always said: a text may begin with blanks of its own.
  const chomping = text.endsWith("\n\n") ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
  return [`${head} |2${chomping}`, ...lines.map((line) => (line === "" ? "" : indent + line))];
}

/** Words that every reader of YAML takes for text. */
function isPlain(text: string): boolean {
  if (text.length > longText || !/^[A-Za-z][\w ./@+=()-]*$/.test(text) || text.endsWith(" ")) return false;
  return !/^(?:y|yes|n|no|on|off|true|false|null|nan|inf)$/i.test(text);
}

/** Not printable, or taken for a line end or nothing by some reader. */
const unprintable = /[^\t\n\u0020-\u007e\u00a0-\u2027\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Whether a text can stand on lines of its own as it is. Lines of blanks at its end would be lost, and a text of blanks alone. */
function canBeBlock(text: string): boolean {
  if (!text.isWellFormed() || unprintable.test(text.replaceAll(/[\ud800-\udbff][\udc00-\udfff]/g, ""))) return false;
  const content = trimEndOf(text, " \t\n");
  const end = text.slice(content.length);
  const firstBreak = end.indexOf("\n");
  return content !== "" && (firstBreak === -1 || trimEndOf(end.slice(firstBreak), "\n") === "");
}

function yamlKey(key: string): string {
  return /^[A-Za-z_][\w-]{0,60}$/.test(key) && isPlain(key.replaceAll("_", "x")) ? key : quote(key);
}

/** JSON is YAML; what is not printable is escaped. */
function quote(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g, unicodeEscape);
}

import { trimOf } from "../../text/trim.ts";
import { unicodeEscape } from "../../text/unicode-escape.ts";
import { parseJson } from "../../text/parse-json.ts";

/**
 * The YAML that Clew itself writes, and nothing more: plain and JSON-quoted scalars, flow lists, block lists of JSON
 * objects. Reading it needs no YAML library, which would cost more than the rest of most commands. Whatever falls
 * outside (`undefined` here) goes to the real YAML reader in `yaml.ts`.
 */

const plainText = /^[A-Za-z][\w./+-]*(?:[ :@][\w./+-]+)*$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Plain words that YAML, in one version or another, reads as something else than text. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n|nan|inf)$/i;

function isPlain(text: string): boolean {
  return (
    text.length <= 200 && ((plainText.test(text) && !reserved.test(text)) || instant.test(text) || sessionIdLike(text))
  );
}

/** `2026-11-15-fix-login`: starts with a digit, yet no reader takes it for a number or a date. */
function sessionIdLike(text: string): boolean {
  return /^\d{4}-\d\d-\d\d-[a-z0-9-]+$/.test(text);
}

export function renderValue(key: string, value: unknown): string {
  if (Array.isArray(value) && value.some((item) => typeof item === "object")) {
    return `${key}:\n${value.map((item) => `  - ${json(item)}\n`).join("")}`;
  }
  if (Array.isArray(value)) return `${key}: [${renderList(value)}]\n`;
  return `${key}: ${renderScalar(value)}\n`;
}

/** All plain or all quoted, so that one look tells which. */
function renderList(items: unknown[]): string {
  const allPlain = items.every((item) => typeof item === "string" && isPlain(item));
  return items.map(allPlain ? String : json).join(", ");
}

function renderScalar(value: unknown): string {
  if (typeof value === "string" && isPlain(value)) return value;
  return json(value);
}

/** JSON is YAML, except for characters that YAML does not allow raw. */
function json(value: unknown): string {
  return JSON.stringify(value).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, unicodeEscape);
}

/** Keys whose value is text also when it looks like something else: a session may be called 2024. */
export const textKeys: ReadonlySet<string> = new Set("title channel model bead run branch commit error".split(" "));

/** The value of one top-level key, from its lines; `undefined` when it takes a YAML reader to tell. */
export function readValue(key: string, lines: string): unknown {
  const colon = lines.indexOf(":");
  const first = lines.indexOf("\n");
  const head = trimBlanks(lines.slice(colon + 1, first));
  const rest = lines.slice(first + 1);
  if (rest === "" && textKeys.has(key) && (number.test(head) || head === "true" || head === "false")) return head;
  if (rest === "") return readScalarOrList(head);
  if (head !== "") return undefined;
  const items: unknown[] = [];
  for (const line of rest.split("\n").slice(0, -1)) {
    const item = line.startsWith("  - {") ? parseJson(line.slice(4)) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

/** Only these two are white space to YAML. */
function trimBlanks(text: string): string {
  return trimOf(text, " \t");
}

function readScalarOrList(text: string): unknown {
  if (text.startsWith("[") && text.endsWith("]")) {
    const inner = trimBlanks(text.slice(1, -1));
    if (inner === "") return [];
    if (inner.includes('"')) return parseJson(text);
    const items = inner.split(", ").map((item) => (isPlain(item) ? item : undefined));
    return items.includes(undefined) ? undefined : items;
  }
  if (number.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (isPlain(text)) return text;
  return text.startsWith('"') || text.startsWith("{") ? parseJson(text) : undefined;
}

import { isObject } from "../text/is-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** What is kept of one call at most, in characters; and of each text in it, first and if that is not enough. */
export const maxLineChars = 4_000_000;
const textChars = [256_000, 2_000];
/** Deeper values are left out: no engine sends any. */
const maxDepth = 64;
const maxItems = 10_000;

/** The JSON object that an engine sent; undefined when it is none. */
export function readPayload(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isObject(value) ? value : undefined;
}

/** A value without depth or length that no engine needs, so that whatever goes through it afterwards ends. */
export function shallow(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return "… (nested too deeply)";
  if (Array.isArray(value)) return value.slice(0, maxItems).map((each) => shallow(each, depth + 1));
  const members = Object.entries(value).slice(0, maxItems);
  return Object.fromEntries(members.map(([name, each]) => [name, shallow(each, depth + 1)]));
}

/** The JSON of a value whose long texts are cut, so that it is no longer than a line may be; undefined when that is not enough. */
export function shortJson(value: unknown): string | undefined {
  for (const limit of textChars) {
    const json = JSON.stringify(value, (_, each: unknown) => (typeof each === "string" ? cut(each, limit) : each));
    if (json.length <= maxLineChars) return json;
  }
  return undefined;
}

/** Of a long text, its beginning and its end. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const half = limit / 2;
  const left = text.length - 2 * half;
  return `${text.slice(0, half)}… (${left} characters left out) …${text.slice(-half)}`.toWellFormed();
}

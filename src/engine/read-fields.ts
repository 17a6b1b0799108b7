import type { Json } from "../contract/json.ts";
import { isObject } from "../text/is-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** Reading what others printed: they add keys and change them between versions, so nothing is taken for granted. */
export type Fields = { [key: string]: Json };

export function fieldsOf(value: Json | undefined): Fields {
  return isObject(value) ? value : {};
}

export function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

/** A text that says something. */
export function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Milliseconds since 1970 fit for two centuries, and a thousand of them still add up exactly. */
const largestNumber = 8e12;

/** Whether a number can count anything. Those of JSON may be negative, or as large as one likes. */
function isCount(value: number): boolean {
  return value >= 0 && value <= largestNumber;
}

/** A count; what cannot be one is none. */
export function numberOf(value: Json | undefined): number {
  return typeof value === "number" && isCount(value) ? value : 0;
}

/** Whether one of these fields has a number that cannot be a count. */
export function hasImpossibleCount(fields: Fields, names: readonly string[]): boolean {
  return names.some((name) => {
    const value = fields[name];
    return typeof value === "number" && !isCount(value);
  });
}

/** The JSON object that a text is, exactly; undefined when it is anything else. */
export function objectIn(text: string): Fields | undefined {
  const value = parseJson(text) as Json | undefined;
  return isObject(value) ? value : undefined;
}

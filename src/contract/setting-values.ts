import { isObject } from "../text/is-object.ts";
import { parseJson } from "../text/parse-json.ts";

/** A path below a folder, written without detours. */
export function isBelowRoot(path: string): boolean {
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

export function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

export function readObject(text: string, expected: string): Record<string, unknown> {
  const value = parseJson(text);
  if (!isObject(value)) throw new Error(expected);
  return value;
}

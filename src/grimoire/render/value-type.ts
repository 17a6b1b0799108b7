import { Unknown, type Data, type UnknownType } from "../template/unknown.ts";

const unknownTypeNames: Record<UnknownType, string> = {
  text: "text",
  int: "a number",
  boolean: "a boolean",
  object: "an object",
  list: "a list",
  any: "something unknown",
};

/** What a person calls the type of a value. */
export function valueType(value: Data): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value instanceof Unknown) return unknownTypeNames[value.type];
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return typeof value === "string" ? "text" : `a ${typeof value}`;
}

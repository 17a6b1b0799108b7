import { Unknown, type Data, type UnknownType } from "../template/unknown.ts";

const typeNames: Record<UnknownType, string> = {
  text: "text",
  int: "a number",
  boolean: "a boolean",
  object: "an object",
  list: "a list",
  any: "something unknown",
};

/** What a person calls the type of a value. */
export function typeOf(value: Data): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (value instanceof Unknown) return typeNames[value.type];
  if (Array.isArray(value)) return "a list";
  switch (typeof value) {
    case "string":
      return "text";
    case "number":
      return "a number";
    case "boolean":
      return "a boolean";
    default:
      return "an object";
  }
}

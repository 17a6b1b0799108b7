import { Unknown, type UnknownType } from "../unknown.ts";
import type { Plain } from "../value.ts";

/** Whether unknown arguments leave the result of a call open. */
export function isUndecided(name: string, args: readonly Plain[]): boolean {
  if (name === "call") return false;
  if (name === "default") return args[1] instanceof Unknown;
  if (name === "index" && args.slice(1).every((key) => typeof key === "string")) return false;
  return args.some((value) => value instanceof Unknown);
}

/** What a call gives when an argument is unknown; "any" where it is not listed. */
export const resultTypes: ReadonlyMap<string, UnknownType> = new Map<string, UnknownType>([
  ...["eq", "ne", "lt", "le", "gt", "ge", "not"].map((name) => [name, "boolean"] as const),
  ...["print", "printf", "println", "html", "js", "urlquery", "json", "include"].map((name) => [name, "text"] as const),
  ["len", "int"],
]);

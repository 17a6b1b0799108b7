import { InvalidArgumentError } from "commander";
import { reservedNames, type Json } from "../contract/grimoire.ts";
import { parseJson } from "../text/parse-json.ts";

/** For `--var name=value`, which may be repeated. The value is JSON if it parses, else text. */
export function readVariable(text: string, earlier: Record<string, Json> = {}): Record<string, Json> {
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/.exec(text);
  if (!match) throw new InvalidArgumentError("It must be NAME=VALUE, the name of letters, digits and _.");
  const [, name, value] = match as unknown as [string, string, string];
  if (reservedNames.includes(name)) throw new InvalidArgumentError(`Every run sets ${name} itself.`);
  return Object.fromEntries([...Object.entries(earlier), [name, readValue(value)]]);
}

function readValue(text: string): Json {
  const value = parseJson(text) as Json | undefined;
  // JSON has no number for 1e999, and a run could not keep one.
  return value === undefined || (typeof value === "number" && !Number.isFinite(value)) ? text : value;
}

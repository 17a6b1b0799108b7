import type { Json } from "../contract/grimoire.ts";
import type { ScriptInput } from "../contract/run.ts";

/** Longer values are cut: a person wants to see which one it was. */
const longestValue = 200;
const reference = /'"\$(clew_value_\d+)"'|"\$(clew_value_\d+)"|\$\{(clew_value_\d+)\}/g;

/** A script as people read it: values in place of the references to them. For reading, not for a shell. */
export function shownScript({ script, values }: Pick<ScriptInput, "script" | "values">): string {
  return script
    .replace(reference, (whole, inSingle?: string, bare?: string, plain?: string) => {
      const name = inSingle ?? bare ?? plain!;
      if (!Object.hasOwn(values, name)) return whole;
      const value = shortened(values[name]!);
      if (plain !== undefined) return value;
      const quoted = value.replaceAll("'", String.raw`'\''`);
      return inSingle !== undefined || /^[\w./:=@%+,-]+$/.test(value) ? quoted : `'${quoted}'`;
    })
    .trimEnd();
}

function shortened(value: string): string {
  return value.length > longestValue ? `${value.slice(0, longestValue).toWellFormed()}…` : value;
}

/** What a call is mostly about, by the names that engines give it. */
const leading = ["file_path", "path", "pattern", "url", "query"];

/** So much JSON can be read on one line. */
const readableJson = 200;

/**
 * A tool's input as people read it: the command, or what it is about first and the rest as JSON. What has text of several
 * lines, or much of it, is JSON as a whole: a session shows that key by key.
 */
export function shownCall(input: Json): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify(input);
  if (typeof input["command"] === "string") return input["command"];
  const first = leading.find((name) => typeof input[name] === "string");
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => name !== first));
  const told = Object.keys(rest).length === 0 ? [] : [JSON.stringify(rest)];
  if (told.some((json) => json.length > readableJson || json.includes("\\n"))) return JSON.stringify(input);
  return [...(first === undefined ? [] : [input[first] as string]), ...told].join(" ");
}

import type { ScriptInput } from "../contract/step-input.ts";
import { insideSingleQuotes, shellWord } from "../text/shell-word.ts";

const maxReadableChars = 200;
const reference = /'"\$(clew_value_\d+)"'|"\$(clew_value_\d+)"|\$\{(clew_value_\d+)\}/g;

/** A script as people read it: values in place of the references to them. For reading, not for a shell. */
export function scriptText({ script, values }: Pick<ScriptInput, "script" | "values">): string {
  return script
    .replace(reference, (whole, inSingle?: string, bare?: string, plain?: string) => {
      const name = inSingle ?? bare ?? plain!;
      if (!Object.hasOwn(values, name)) return whole;
      const value = cutForReading(values[name]!);
      if (plain !== undefined) return value;
      return inSingle === undefined ? shellWord(value) : insideSingleQuotes(value);
    })
    .trimEnd();
}

/** A value or command, cut when it is long: a person wants to see which one it was, and the journal has all of it. */
export function cutForReading(text: string): string {
  return text.length > maxReadableChars ? `${text.slice(0, maxReadableChars).toWellFormed()}…` : text;
}

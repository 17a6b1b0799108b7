import type { ScriptInput } from "../contract/step-input.ts";

/** Longer values are cut: a person wants to see which one it was. */
const maxValueChars = 200;
const reference = /'"\$(clew_value_\d+)"'|"\$(clew_value_\d+)"|\$\{(clew_value_\d+)\}/g;

/** A script as people read it: values in place of the references to them. For reading, not for a shell. */
export function scriptText({ script, values }: Pick<ScriptInput, "script" | "values">): string {
  return script
    .replace(reference, (whole, inSingle?: string, bare?: string, plain?: string) => {
      const name = inSingle ?? bare ?? plain!;
      if (!Object.hasOwn(values, name)) return whole;
      const value = cutValue(values[name]!);
      if (plain !== undefined) return value;
      const quoted = value.replaceAll("'", String.raw`'\''`);
      return inSingle !== undefined || /^[\w./:=@%+,-]+$/.test(value) ? quoted : `'${quoted}'`;
    })
    .trimEnd();
}

function cutValue(value: string): string {
  return value.length > maxValueChars ? `${value.slice(0, maxValueChars).toWellFormed()}…` : value;
}

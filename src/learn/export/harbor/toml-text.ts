/** A value as TOML writes it. */
function tomlValue(value: string | number | boolean | readonly string[]): string {
  if (typeof value === "string") return tomlString(value);
  if (typeof value === "number") return Number.isInteger(value) ? `${value}.0` : String(value);
  return typeof value === "boolean" ? String(value) : `[${value.map(tomlString).join(", ")}]`;
}

/** What JSON escapes TOML reads alike; TOML also asks it of the character DEL. */
function tomlString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll("\u007f", "\\u007f");
}

/** A table with its lines; what is null is left out. */
export function tomlTable(
  name: string,
  fields: Record<string, string | number | boolean | readonly string[] | null>,
): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === null ? [] : [`${key} = ${tomlValue(value)}`],
  );
  return [`[${name}]`, ...lines].join("\n");
}

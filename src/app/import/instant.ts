/** A time just as `toISOString` writes it, on a day that every month has. */
const usual =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** A time of a transcript as ISO 8601; undefined for what is none, or lies in no year that people write with four digits. */
export function instantOf(text: string): string | undefined {
  if (usual.test(text)) return text;
  const ms = Date.parse(text);
  const year = Number.isNaN(ms) ? -1 : new Date(ms).getUTCFullYear();
  return year >= 1970 && year <= 9999 ? new Date(ms).toISOString() : undefined;
}

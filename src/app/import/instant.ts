/** A time of a transcript as ISO 8601; undefined for what is none, or lies in no year that people write with four digits. */
export function instantOf(text: string): string | undefined {
  const ms = Date.parse(text);
  const year = Number.isNaN(ms) ? -1 : new Date(ms).getUTCFullYear();
  return year >= 1970 && year <= 9999 ? new Date(ms).toISOString() : undefined;
}

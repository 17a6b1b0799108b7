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

const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/** Milliseconds since 1970 as such a time; what lies in no such year becomes the nearest one that does. */
export function nearestInstant(ms: number): string {
  return new Date(Math.min(Math.max(Number.isNaN(ms) ? 0 : ms, 0), latestMs)).toISOString();
}

/** The later of two times; what is none is never the later one. */
export function laterOf(one: string | undefined, other: string): string {
  return one !== undefined && Date.parse(one) > Date.parse(other) ? one : other;
}

const isoForm = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/**
 * An ISO 8601 text as milliseconds since 1970; `-Infinity` when it is none, so that it sorts before all others.
 * A time without a zone counts as UTC: the index must not depend on the zone of the machine that wrote it.
 */
export function instantMs(text: string): number {
  const form = isoForm.exec(text);
  if (!form) return -Infinity;
  const zoned = form[1] || text.length === 10 ? text : `${text}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? -Infinity : ms;
}

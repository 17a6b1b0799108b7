import { readDuration } from "../contract/duration.ts";
import { ClewError } from "../contract/errors.ts";
import type { FieldChanges } from "./check-fields.ts";

const longestMs = 10 * 366 * 86_400_000;

/** `2026-12-01`, `2026-12-01T09:00:00Z`, or from now on: `+2d`, `+6h`, `+1w`. As ISO 8601; undefined for anything else. */
export function readTime(text: string, nowMs: number): string | undefined {
  if (text.startsWith("+")) {
    const weeks = /^\+(\d{1,3})w$/.exec(text)?.[1];
    const ms = readDuration(weeks === undefined ? text.slice(1) : `${Number(weeks) * 7}d`, longestMs);
    return ms === undefined ? undefined : new Date(nowMs + ms).toISOString();
  }
  const day = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)?.[1];
  const ms = Date.parse(text);
  if (day === undefined || Number.isNaN(ms)) return undefined;
  // `Date` takes the 30th of February for the 2nd of March.
  const real = new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10);
  return real === day ? new Date(ms).toISOString() : undefined;
}

/** The fields with their times as ISO 8601. Refuses what is no time. */
export function withTimes(fields: FieldChanges, nowMs: number): FieldChanges {
  const timed = { ...fields };
  for (const name of ["due_at", "defer_until"] as const) {
    const text = fields[name];
    if (text == null) continue;
    const time = readTime(text, nowMs);
    if (time === undefined) {
      throw new ClewError(
        "invalid_input",
        `${text} is no time`,
        "give a date such as 2026-12-01 or 2026-12-01T09:00:00Z, or a time from now on such as +2d or +6h",
      );
    }
    timed[name] = time;
  }
  return timed;
}

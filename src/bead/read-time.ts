import { readDuration } from "../contract/duration.ts";
import { ClewError } from "../contract/errors.ts";
import type { FieldChanges } from "./check-fields.ts";

const longestMs = 10 * 366 * 86_400_000;
const timeForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?))?$/;

/**
 * `2026-12-01`, `2026-12-01 10:00`, `2026-12-01T09:00:00Z`, `tomorrow`, or from now on: `+30m`, `+6h`, `+2d`, `+3w`. As
 * ISO 8601; undefined for anything else. Where no zone is named the local one is meant, and a day begins at midnight.
 */
export function readTime(text: string, nowMs: number): string | undefined {
  if (text === "tomorrow") return tomorrow(nowMs);
  if (text.startsWith("+")) {
    const weeks = /^\+(\d{1,3})w$/.exec(text)?.[1];
    const ms = readDuration(weeks === undefined ? text.slice(1) : `${Number(weeks) * 7}d`, longestMs);
    return ms === undefined ? undefined : new Date(nowMs + ms).toISOString();
  }
  const [, day, time = "00:00"] = timeForm.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}`);
  if (day === undefined || Number.isNaN(ms)) return undefined;
  // `Date` takes the 30th of February for the 2nd of March.
  const real = new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10);
  return real === day ? new Date(ms).toISOString() : undefined;
}

function tomorrow(nowMs: number): string {
  const day = new Date(nowMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).toISOString();
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
        "give 2026-12-01, 2026-12-01 10:00, tomorrow, or minutes, hours, days or weeks from now: +30m, +6h, +2d, +3w",
      );
    }
    timed[name] = time;
  }
  return timed;
}

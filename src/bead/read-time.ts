import { ClewError } from "../contract/errors.ts";
import { readDistance, readMoment, startOfDay } from "../text/moment.ts";
import type { FieldChanges } from "../contract/api/bead-shapes.ts";

/** A moment, `today`, `tomorrow`, or from now on: `30m`, `6h`, `2d`, `3w`, with or without a `+`. As ISO 8601; undefined for anything else. */
export function readTime(text: string, nowMs: number): string | undefined {
  const ms = readMs(text, nowMs);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

function readMs(text: string, nowMs: number): number | undefined {
  if (text === "today") return startOfDay(nowMs, 0);
  if (text === "tomorrow") return startOfDay(nowMs, 1);
  const distance = readDistance(text.replace(/^\+/, ""));
  return distance === undefined ? readMoment(text) : nowMs + distance;
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

import { readDuration } from "./duration.ts";

const maxDistanceMs = 10 * 366 * 86_400_000;
const momentForm = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?))?$/;

/**
 * `2026-12-01`, `2026-12-01 10:00`, `2026-12-01T09:00:00Z`, in milliseconds; undefined for anything else. Where no zone is
 * named the local one is meant, and a day begins at midnight.
 */
export function readMoment(text: string): number | undefined {
  const [, day, time = "00:00"] = momentForm.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}`);
  if (day === undefined || Number.isNaN(ms)) return undefined;
  // `Date` takes the 30th of February for the 2nd of March.
  const real = new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10);
  return real === day ? ms : undefined;
}

/** `30m`, `12h`, `1d`, `2w`: how far away a moment is, in milliseconds; undefined for anything else. */
export function readDistance(text: string): number | undefined {
  const weeks = /^(\d{1,3})w$/.exec(text)?.[1];
  return readDuration(weeks === undefined ? text : `${Number(weeks) * 7}d`, maxDistanceMs);
}

/** A moment that was: such a date, `today`, `yesterday`, or how long ago. In milliseconds; undefined for anything else. */
export function readPast(text: string, nowMs: number): number | undefined {
  if (text === "today") return startOfDay(nowMs, 0);
  if (text === "yesterday") return startOfDay(nowMs, -1);
  const distance = readDistance(text);
  return distance === undefined ? readMoment(text) : nowMs - distance;
}

/** The midnight with which a day begins where the program runs. 0 is the day of `nowMs`, 1 the next one. */
export function startOfDay(nowMs: number, days: number): number {
  const day = new Date(nowMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days).getTime();
}

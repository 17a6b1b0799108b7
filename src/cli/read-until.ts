import { InvalidArgumentError } from "commander";
import { readDistance, readMoment } from "../text/moment.ts";

/** For options that look ahead: a date, or how far away it is. As ISO 8601. */
export function readUntil(text: string, nowMs: number): string {
  const distance = readDistance(text);
  const ms = distance === undefined ? readMoment(text) : nowMs + distance;
  if (ms !== undefined && ms > nowMs) return new Date(ms).toISOString();
  throw new InvalidArgumentError(
    "It must be a date to come, such as 2030-01-01 or 2030-01-01T09:00:00Z, or how far away it is: 12h, 30d, 2w.",
  );
}

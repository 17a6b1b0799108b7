import { InvalidArgumentError } from "commander";
import { readPast } from "../text/moment.ts";

/** For options that look back: a date, or how long ago. As ISO 8601. */
export function readSince(text: string, nowMs: number): string {
  const ms = readPast(text, nowMs);
  if (ms === undefined) {
    throw new InvalidArgumentError(
      "It must be a date such as 2026-11-01 or 2026-11-01T09:00:00Z, or a time ago: 1d, 2w, 12h.",
    );
  }
  return new Date(ms).toISOString();
}

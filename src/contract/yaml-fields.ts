import * as z from "zod/mini";
import { durationPattern, formatDuration, longestDurationMs, readDuration } from "../text/duration.ts";

// Fields as people write them in YAML. Every message completes "FIELD: …".

export const filledText = () =>
  z.string({ error: "must be text" }).check(z.regex(/\S/, { error: "must not be empty" }));

const durationForm = { error: "must be a duration such as 10m" };
export const durationField = () =>
  z.string(durationForm).check(
    z.regex(durationPattern, { ...durationForm, abort: true }),
    z.refine<string>((value) => readDuration(value) !== undefined, {
      error: `must be more than 0s and at most ${formatDuration(longestDurationMs)}`,
    }),
  );

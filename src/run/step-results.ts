import { formatDuration } from "../text/duration.ts";
import { ofRedactedParts, type Redacted } from "../contract/redacted.ts";
import { limitWords } from "../engine/limits.ts";
import type { StepResult, StepWork } from "../contract/run.ts";

/** The result of a step that took too long, whatever it gave. */
export function tooSlow(result: Redacted<StepResult>, timeoutMs: number): Redacted<StepResult> {
  return { ...result, success: false, error: `took longer than ${formatDuration(timeoutMs)}` };
}

/** What a step gave that was not begun. */
export const noResult: Redacted<StepResult> = ofRedactedParts({ success: false, output: null });

/** The result of a script that was ended because the run has worked as long as it may. */
export function outOfTime(result: Redacted<StepResult>, limit: number, used: number): Redacted<StepResult> {
  const reached = { kind: "max_time_ms", limit, used } as const;
  return { ...result, success: false, error: limitWords(reached), limit: ofRedactedParts(reached) };
}

export function noHandler({ input: { kind } }: StepWork): Redacted<StepResult> {
  return ofRedactedParts({
    success: false,
    output: null,
    error: `cannot be done: this version has no ${kind} steps yet`,
  });
}

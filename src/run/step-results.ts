import { formatDuration } from "../text/duration.ts";
import { assumeRedacted, type Redacted } from "../contract/redacted.ts";
import type { StepResult, StepWork } from "../contract/run.ts";

/** Whatever a step gave, it took too long for it. */
export function tooSlow(result: Redacted<StepResult>, timeoutMs: number): Redacted<StepResult> {
  return { ...result, success: false, error: `took longer than ${formatDuration(timeoutMs)}` };
}

export function noHandler({ input: { kind } }: StepWork): Redacted<StepResult> {
  return assumeRedacted({
    success: false,
    output: null,
    error: `cannot be done: this version has no ${kind} steps yet`,
  });
}

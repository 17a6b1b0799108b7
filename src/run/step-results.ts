import { formatDuration } from "../text/duration.ts";
import { ofRedactedParts, type Redacted } from "../contract/redacted.ts";
import type { StepResult, StepWork } from "../contract/run.ts";

/** The result of a step that took too long, whatever it gave. */
export function tooSlow(result: Redacted<StepResult>, timeoutMs: number): Redacted<StepResult> {
  return { ...result, success: false, error: `took longer than ${formatDuration(timeoutMs)}` };
}

export function noHandler({ input: { kind } }: StepWork): Redacted<StepResult> {
  return ofRedactedParts({
    success: false,
    output: null,
    error: `cannot be done: this version has no ${kind} steps yet`,
  });
}

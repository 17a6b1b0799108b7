import { formatDuration } from "../contract/duration.ts";
import type { StepResult, Task } from "../contract/run.ts";

/** Whatever a step gave, it took too long for it. */
export function tooSlow(result: StepResult, timeoutMs: number): StepResult {
  return { ...result, success: false, error: `took longer than ${formatDuration(timeoutMs)}` };
}

export function noHandler({ input: { kind } }: Task): StepResult {
  return { success: false, output: null, error: `cannot be done: this version has no ${kind} steps yet` };
}

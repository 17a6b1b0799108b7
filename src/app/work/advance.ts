import type { AgentResult } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { WorkState } from "../../contract/work-state.ts";
import type { WorkParts } from "./parts.ts";
import { closeTask, nextTask } from "./tasks.ts";

export interface Advance {
  state: WorkState;
  /** The task that was closed, and the beads above it that are done by it; undefined when the result was given before. */
  closed?: { id: string; completed: string[] };
}

/** What is wrong with a result that names a task which is neither the current one nor done. */
export function misfit({ current, done }: WorkState, { task }: AgentResult): string | undefined {
  if (current === null || task === undefined || task === current || done.includes(task)) return undefined;
  return `the result is for ${task}, and the current task is ${current}`;
}

/**
 * Closes the task that a result is for, and takes up the next one. A result that was given before closes nothing: an agent may
 * repeat itself. Throws a ClewError when it names another task than the current one.
 */
export async function advance(
  parts: Pick<WorkParts, "beads" | "claims" | "log">,
  state: WorkState,
  result: AgentResult,
): Promise<Advance> {
  const { current, done, session } = state;
  const text = JSON.stringify(result);
  const { task = text === state.last_result ? done.at(-1) : (current ?? undefined) } = result;
  if (current === null || task === undefined || (task !== current && done.includes(task))) return { state };
  const problem = misfit(state, result);
  if (problem !== undefined)
    throw new ClewError("invalid_input", problem, `give the result of ${current}, with "task": "${current}"`);
  const { completed } = await closeTask(parts, current, session, result);
  const next = await nextTask(parts, state);
  return {
    state: { ...state, current: next?.id ?? null, done: [...done, current], last_result: text },
    closed: { id: current, completed },
  };
}

import type * as z from "zod/mini";
import type { grimoire, Step } from "./pinned-run.ts";

/** Types and rules of grimoires; the schemas are in `pinned-run.ts`. */

export type { Json } from "./json.ts";
export type { Step } from "./pinned-run.ts";

export type Grimoire = z.infer<typeof grimoire>;
export type StepType = Step["type"];
export const stepTypes = ["agent", "script", "loop", "merge"] as const satisfies StepType[];
export type AgentStep = Extract<Step, { type: "agent" }>;
export type ScriptStep = Extract<Step, { type: "script" }>;
export type LoopStep = Extract<Step, { type: "loop" }>;
export type MergeStep = Extract<Step, { type: "merge" }>;

/** All steps below, loops opened. */
export function* allSteps(steps: Step[]): Generator<Step> {
  for (const step of steps) {
    yield step;
    if (step.type === "loop") yield* allSteps(step.steps);
  }
}

/** Those that may run: a step whose `when` is `false` never does, and what is in it neither. */
export function* liveSteps(steps: Step[]): Generator<Step> {
  for (const step of steps) {
    if (step.when === false) continue;
    yield step;
    if (step.type === "loop") yield* liveSteps(step.steps);
  }
}

/** Whether a merge step runs. Without one a run ends well, and what it changed stays in its worktree. */
export function landsWork({ steps }: { steps: Step[] }): boolean {
  return [...liveSteps(steps)].some(({ type }) => type === "merge");
}

/** How a grimoire may be called. */
export const grimoireName = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Names that every template knows already. */
export const reservedNames: readonly string[] = ["bead", "previous", "loop_entry", "iteration"];

/** How long things may take when a grimoire does not say; a loop has no limit of its own. */
export const defaultTimeoutsMs = { run: 2 * 3_600_000, agent: 15 * 60_000, script: 5 * 60_000 } as const;

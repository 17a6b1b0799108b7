/**
 * A grimoire as the rest of the program sees it: checked, defaults filled in, durations in milliseconds. Plain data, so
 * that a run can pin it. The YAML form with its own rules is in `grimoire-schema.ts`.
 */
export interface Grimoire {
  name: string;
  description: string;
  /** How long a run may take; the program's default when absent. */
  timeout_ms?: number;
  steps: Step[];
}

export type Step = AgentStep | ScriptStep | LoopStep | MergeStep;
export const stepTypes = ["agent", "script", "loop", "merge"] as const satisfies Step["type"][];
export type StepType = Step["type"];

interface StepBase {
  name: string;
  /** A boolean, or a template of exactly one action whose value is one. Absent: the step always runs. */
  when?: boolean | string;
  /** Gates that the step must pass; kept as written until they are checked. */
  requires?: Json[];
}

/** What steps that do work have in common. */
interface WorkStep extends StepBase {
  /** Variables for this step alone; templates in the texts, at any depth. */
  input: Record<string, Json>;
  /** The variable that holds what the step gave. */
  output?: string;
  timeout_ms?: number;
  on_fail: "block" | "continue";
  on_success?: "exit_loop";
  /** Whether what left the step's process group may go on after it. */
  detach?: boolean;
}

export interface AgentStep extends WorkStep {
  type: "agent";
  /** The name of a spell, or the spell itself when it has more than one line. */
  spell: string;
  agent?: string;
  engine?: string;
  model?: string;
}

export interface ScriptStep extends WorkStep {
  type: "script";
  command: string;
  shell: Shell;
}

export interface LoopStep extends StepBase {
  type: "loop";
  steps: Step[];
  max_iterations: number;
  on_max_iterations: "block" | "exit" | "continue";
  /** The variable that holds the output of the loop's last executed step. */
  output?: string;
  timeout_ms?: number;
}

export interface MergeStep extends StepBase {
  type: "merge";
  /** Whether a person must approve the diff first. */
  require_review: boolean;
  /** Absent in runs of before there was a choice: `merge`. */
  strategy?: MergeStrategy;
  /** A command that must succeed on the merged tree before it is offered. */
  verify?: string;
  /** The shell that runs `verify`, and how long that may take. */
  shell?: Shell;
  timeout_ms?: number;
  /** When a person asks for changes, the loop around begins its next iteration. */
  on_changes?: "continue";
  on_success?: "exit_loop";
}

/** How a run's work becomes part of its target: as a merge of both, or as one commit on top of the target. */
export const mergeStrategies = ["merge", "squash"] as const;
export type MergeStrategy = (typeof mergeStrategies)[number];

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

export const shells = ["sh", "bash"] as const;
export type Shell = (typeof shells)[number];

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** How a grimoire may be called. */
export const grimoireName = /^[a-z0-9][a-z0-9-]{0,63}$/;

/** Names that every template knows already. */
export const reservedNames: readonly string[] = ["bead", "previous", "loop_entry", "iteration"];

/** How long things may take when a grimoire does not say; a loop has no limit of its own. */
export const defaultTimeoutsMs = { run: 2 * 3_600_000, agent: 15 * 60_000, script: 5 * 60_000 } as const;

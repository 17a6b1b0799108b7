import type { JournalLine } from "../../contract/run-journal.ts";
import type { StepAddress } from "../../contract/run.ts";
import type { RunStore } from "../run/ports.ts";

/** The agent step that a run is at, as its journal tells. */
export interface StepAtHand extends StepAddress {
  engine: string;
  prompt: string;
  /** When its first attempt began: what was noted since is about this step. */
  since: string;
  /** Whether it has no result yet. */
  isOpen: boolean;
  /** What worked on the attempts before this one. */
  enginesBefore: string[];
}

/** The last agent step that was begun; undefined when a script, a merge or nothing was begun since. */
export function stepAtHand(store: Pick<RunStore, "lines">, runId: string): StepAtHand | undefined {
  const began = new Map<string, string>();
  const engines = new Map<string, string[]>();
  let step: StepAtHand | undefined;
  for (const { line } of store.lines(runId)) {
    if (line.type === "workflow.step.completed" && step && isOf(line, step)) step = { ...step, isOpen: false };
    if (line.type !== "workflow.step.started" || line.kind === "loop") continue;
    if (!began.has(line.path)) began.set(line.path, line.at);
    const before = engines.get(line.path) ?? [];
    step = begun(line, began.get(line.path)!, before);
    if (step) engines.set(line.path, [...before, step.engine]);
  }
  return step;
}

function begun(
  line: Extract<JournalLine, { type: "workflow.step.started" }>,
  since: string,
  enginesBefore: string[],
): StepAtHand | undefined {
  const { path, attempt, input } = line;
  if (input?.kind !== "agent") return undefined;
  return { path, attempt, engine: input.engine, prompt: input.prompt, since, isOpen: true, enginesBefore };
}

function isOf(one: StepAddress, other: StepAddress): boolean {
  return one.path === other.path && one.attempt === other.attempt;
}

import { connectedEngine } from "../../../contract/connected.ts";
import type { JournalLine } from "../../../contract/run-journal.ts";
import { addressText, type StepAddress } from "../../../contract/run.ts";
import type { RunStore } from "../ports.ts";

/** What a connected agent is asked for: one attempt at an agent step. */
export interface Assignment extends StepAddress {
  prompt: string;
  role?: string;
  /** What its result must hold below `outputs`. */
  outputs?: string[];
}

/** What is asked for after a line of the journal; `before` it was this. */
export function assignmentAfter(line: JournalLine, before: Assignment | undefined): Assignment | undefined {
  if (line.type === "workflow.step.started" && line.input?.kind === "agent" && line.input.engine === connectedEngine) {
    const { path, attempt, input } = line;
    const { prompt, role, outputs } = input;
    return { path, attempt, prompt, ...(role !== undefined && { role }), ...(outputs && { outputs }) };
  }
  if (line.type === "workflow.step.completed" && before && isSameStep(line, before)) return undefined;
  return before;
}

/** What a run asks for now, by its whole journal. */
export function openAssignment(store: Pick<RunStore, "lines">, runId: string): Assignment | undefined {
  let assignment: Assignment | undefined;
  for (const { line } of store.lines(runId)) assignment = assignmentAfter(line, assignment);
  return assignment;
}

export function isSameStep(one: StepAddress, other: StepAddress): boolean {
  return addressText(one) === addressText(other);
}

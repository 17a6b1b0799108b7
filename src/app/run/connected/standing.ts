import type { RunDetails } from "../../../contract/api/run.ts";
import { addressText } from "../../../contract/run.ts";
import type { Assignment } from "./assignment.ts";
import type { Blocker } from "./refused-advance.ts";

/** How a run stands for the agent that works on it. */
export interface Standing {
  run: string;
  session: string | null;
  bead: string;
  workflow: string;
  status: RunDetails["status"];
  /** What it is to do, in a sentence. */
  next: string;
  /** What it is asked for: where to work, what to do, and the token that comes back with the result. */
  step?: string;
  folder?: string;
  prompt?: string;
  role?: string;
  token?: string;
  /** Why the run waits. */
  blockers?: Blocker[];
}

/** What an agent is asked for, with the token that comes back with its result. */
export function assignedPart(
  folder: string,
  assignment: Assignment,
  token: string,
): Pick<Standing, "next" | "step" | "folder" | "prompt" | "role" | "token"> {
  const { prompt, role } = assignment;
  const next =
    `Work in ${folder} on what the prompt asks for. Then call workflow_continue with this token and your result: ` +
    `{"success", "summary", "outputs"}.`;
  return { next, step: addressText(assignment), folder, prompt, ...(role !== undefined && { role }), token };
}

/** How a run stands that asks nothing of its agent now. */
export function standingOf(run: RunDetails): Standing {
  const { id, session_id, bead_id, grimoire, status } = run;
  const base = { run: id, session: session_id, bead: bead_id, workflow: grimoire, status };
  const blockers = blockersOf(run);
  if (blockers.length === 0) return { ...base, next: nextOf(run) };
  const next = "The run waits for a person, who is told in the inbox. Tell the user what is needed.";
  return { ...base, next, blockers };
}

/** Why a run waits for a person; none when it does not. */
export function blockersOf(run: RunDetails): Blocker[] {
  return run.blocked_reason === undefined ? [] : [blockerOf(run, run.blocked_reason)];
}

function nextOf({ id, status }: RunDetails): string {
  switch (status) {
    case "completed":
      return "The run is completed. There is nothing more to do.";
    case "cancelled":
      return "The run was cancelled. There is nothing more to do.";
    case "interrupted":
      return `The run was interrupted. Call workflow_resume with run ${id} to go on.`;
    default:
      return `Clew works on the run. Call workflow_resume with run ${id} to wait for your next step.`;
  }
}

function blockerOf({ id, message = "", actions = [], failed_output }: RunDetails, kind: string): Blocker {
  const fix = actions.length > 0 ? `a person decides: ${actions.join(", or ")}` : `clew run show ${id}`;
  return { kind, message, fix, ...(failed_output && { output: failed_output.text }) };
}

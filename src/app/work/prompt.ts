import { containersOf } from "../../bead/below.ts";
import type { Bead } from "../../contract/bead.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import { contextOf } from "../session/resume.ts";
import type { WorkParts } from "./parts.ts";

/** The task, its stage and track, the session's id as cookie, and how to report and finish. */
export function taskPrompt(
  { beads, agents }: Pick<WorkParts, "beads" | "agents">,
  task: Bead,
  session: string,
): string {
  const [stage, track] = containersOf(beads.store.all().beads, task);
  const text = agents.renderPrompt({ bead: task, stage: stage ?? null, track: track ?? null, session });
  return withResultInstructions(text);
}

/** For an agent that goes on in its engine's own session. */
export function goOnPrompt(prompt: string): string {
  return `You were stopped while you worked on the task below. See what is done already, and go on from there.\n\n${prompt}`;
}

/** For an agent that knows nothing of what was done before it: all of it stands in the record. */
export async function fromRecordPrompt({ log }: WorkParts, session: string, prompt: string): Promise<string> {
  const { text } = await contextOf(log.sessions, session);
  return `${prompt.trimEnd()}\n\n---\nOthers worked on this before you. This is the record of it; see what is done already, and go on from there.\n\n${text}`;
}

export function repairPrompt(problem: string): string {
  return withResultInstructions(`Your final result was not accepted: ${problem}.\nGive it again, and nothing else.`);
}

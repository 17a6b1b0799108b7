import { containersOf } from "../../bead/below.ts";
import type { Bead } from "../../contract/bead.ts";
import { withResultInstructions } from "../../engine/result-instructions.ts";
import type { RehydrationCause } from "../../contract/rehydration.ts";
import { giveRehydration, appendRehydration } from "../rehydrate/give-rehydration.ts";
import { contextOf } from "../session/resume.ts";
import type { WorkParts } from "./parts.ts";
import type { ResumedSession } from "./plan.ts";

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

/** What an agent is sent, and whether that tells it where it stands. */
export interface WorkPrompt {
  prompt: string;
  hasRehydration: boolean;
}

/** Who takes up work that was begun. */
export interface WorkTaker {
  session: string;
  engine: string;
  /** The engine's own session that goes on. */
  engineSession: string | undefined;
  cause: RehydrationCause;
}

/** The agent that takes up a session: of the engine that worked in it last, or of another. */
export function takerOf(
  { id, engineBefore }: Pick<ResumedSession, "id" | "engineBefore">,
  engine: string,
  engineSession: string | undefined,
): WorkTaker {
  const cause = engineBefore !== undefined && engineBefore !== engine ? "other engine" : "resumed";
  return { session: id, engine, engineSession, cause };
}

/** For an agent that goes on in its engine's own session. */
export async function goOnPrompt({ agents }: WorkParts, taker: WorkTaker, prompt: string): Promise<WorkPrompt> {
  const words = `You were stopped while you worked on the task below. See what is done already, and go on from there.\n\n${prompt}`;
  const facts = await giveRehydration(await agents.rehydrations(), taker);
  return { prompt: appendRehydration(words, facts), hasRehydration: facts !== undefined };
}

/** For an agent that knows nothing of what was done before it: all of it stands in the record. */
export async function fromRecordPrompt(parts: WorkParts, taker: WorkTaker, prompt: string): Promise<WorkPrompt> {
  const { text } = await contextOf(parts.log.sessions, taker.session);
  const facts = await giveRehydration(await parts.agents.rehydrations(), { ...taker, engineSession: undefined });
  const words = `${appendRehydration(prompt, facts).trimEnd()}\n\n---\nOthers worked on this before you. This is the record of it; see what is done already, and go on from there.\n\n${text}`;
  return { prompt: words, hasRehydration: facts !== undefined };
}

export function repairPrompt(problem: string): string {
  return withResultInstructions(`Your final result was not accepted: ${problem}.\nGive it again, and nothing else.`);
}

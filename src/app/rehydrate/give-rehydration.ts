import type { Rehydration } from "../../contract/rehydration.ts";
import { factsText } from "../../session/rehydrate/facts-text.ts";
import type { Recipient, Rehydrations } from "./rehydrations.ts";

/**
 * What goes with the prompt of an agent that takes up work; undefined when there is nothing that it does not know: one that goes on
 * in its engine's own session knows what it said and did. What is told is on disk, and in the session's record, when this resolves.
 */
export async function giveRehydration(
  rehydrations: Pick<Rehydrations, "show" | "give">,
  recipient: Recipient,
): Promise<string | undefined> {
  const knowsProgress = recipient.engineSession !== undefined;
  const text = withoutPrompt(await rehydrations.show(recipient.session), knowsProgress);
  if (text !== undefined) await rehydrations.give(recipient);
  return text;
}

/** The whole prompt stands beside it. Undefined when nothing else is left. */
function withoutPrompt({ prompt: _, ...told }: Rehydration, knowsProgress: boolean): string | undefined {
  const facts = { ...told, progress: knowsProgress ? [] : told.progress };
  const { notes, decisions, open_decisions, missing_evidence, progress, tasks } = facts;
  const lists = [notes, decisions, open_decisions, missing_evidence, progress, tasks];
  const leftOut = told.left_out.filter((each) => !each.startsWith("What you were asked"));
  return lists.every(({ length }) => length === 0) ? undefined : factsText(facts, leftOut);
}

/** The prompt, with what the agent is told again behind it. */
export function appendRehydration(prompt: string, facts: string | undefined): string {
  return facts === undefined ? prompt : `${prompt.trimEnd()}\n\n---\n${facts}`;
}

import type { HookAnswer } from "../../contract/hook.ts";
import type { CompactionTrigger, Rehydration } from "../../contract/rehydration.ts";
import { summaryWords } from "../../session/rehydrate/summary-words.ts";
import type { HookAnswerer, HookQuestion } from "../hook/answer.ts";
import { asksForRehydration } from "./asks-for-rehydration.ts";
import type { Rehydrations } from "./rehydrations.ts";

interface Parts {
  rehydrations: Pick<Rehydrations, "show" | "give" | "compacting">;
  /** The session of the agent that calls; undefined when none is known. */
  sessionOf: (question: HookQuestion) => Promise<string | undefined>;
}

/** Tells an agent where it stands after a compaction or a resume, and what the summary has to keep before one. */
export function rehydrationAnswerer({ rehydrations, sessionOf }: Parts): HookAnswerer {
  return async (question): Promise<HookAnswer | undefined> => {
    if (!asksForRehydration(question)) return undefined;
    const session = await sessionOf(question);
    if (session === undefined) return undefined;
    const known = await rehydrations.show(session);
    if (!isWorthTelling(known)) return undefined;
    const { event, engine, fields } = question;
    const engineSession = typeof fields["session_id"] === "string" ? fields["session_id"] : undefined;
    if (event === "PreCompact") {
      rehydrations.compacting(known.run?.id ?? session, { engine, engineSession, trigger: triggerIn(fields) });
      return { context: summaryWords(known) };
    }
    const { text } = await rehydrations.give({
      session,
      cause: fields["source"] === "compact" ? "compacted" : "resumed",
      engine,
      engineSession,
      isRecorded: known.run !== undefined || question.caller !== undefined,
    });
    return { context: text };
  };
}

/** An agent that a person talks with is not told what it knows anyway. */
function isWorthTelling({ run, bead, tasks, notes, decisions, open_decisions }: Rehydration): boolean {
  if (run !== undefined || bead !== undefined) return true;
  return tasks.length + notes.length + decisions.length + open_decisions.length > 0;
}

function triggerIn({ trigger }: Record<string, unknown>): CompactionTrigger | undefined {
  return trigger === "manual" || trigger === "auto" ? trigger : undefined;
}

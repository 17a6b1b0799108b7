import { ClewError } from "../../contract/errors.ts";
import { refuseAnyStep } from "../run/authority.ts";
import { refuseForeignWords } from "./authority.ts";
import type { CheckedEntry } from "./entries.ts";
import type { LogParts } from "./log.ts";

/** Entries whose words are neither an agent's nor a step's: the user's, a person's notes, and what Clew itself says. */
const othersWords: ReadonlySet<CheckedEntry["kind"]> = new Set(["user", "note", "remark"]);

/** Whether an entry's caller is looked at. Of all others, `refuseForeignEntry` refuses none. */
export function takesAuthority({ kind }: CheckedEntry): boolean {
  return kind === "answer" || othersWords.has(kind);
}

/**
 * Throws when an entry that comes from outside is not for its caller to log. Answers are a person's, and are given to what
 * waits for them. An agent or step speaks for others only in sessions that it began. All that logs for a caller asks this.
 */
export async function refuseForeignEntry(log: LogParts, sessionId: string, entry: CheckedEntry): Promise<void> {
  if (entry.kind === "answer") await refuseWrongAnswer(log, sessionId, entry.id);
  else if (othersWords.has(entry.kind)) {
    await refuseForeignWords(log.sessions, await log.caller(), sessionId);
  }
}

async function refuseWrongAnswer(log: LogParts, sessionId: string, questionId: string): Promise<void> {
  refuseAnyStep(await log.caller());
  const { records, owners } = log.sessions;
  const isOpen = await records.change(sessionId, ({ tally }) => tally.open.some(({ id }) => id === questionId));
  const isAwaited = log.isPermission(questionId) || (await (await owners.of(sessionId))?.awaits(sessionId, questionId));
  if (isAwaited) {
    const message = `who asked ${questionId} waits for the answer, and reads it nowhere in the session`;
    throw new ClewError("not_possible_now", message, `clew inbox answer ${questionId} TEXT hands it over`);
  }
  if (isOpen) return;
  const message = `no question ${JSON.stringify(questionId)} waits in the session ${sessionId}`;
  throw new ClewError("unknown_inbox_item", message, "clew inbox shows what waits for an answer");
}

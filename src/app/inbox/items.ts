import type { AnyInboxItem, InboxItem, RefusedItem } from "../../contract/api/inbox.ts";
import type { IndexedItem } from "../../contract/session-row.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import type { SessionOwner } from "../session/owner.ts";
import type { SessionParts } from "../session/parts.ts";

export interface InboxParts {
  sessions: SessionParts;
  /** What owns sessions. */
  owners: Pick<SessionOwner, "describe" | "waiting">;
  /** Beads that the scheduler could not start. */
  refusedBeads: () => Promise<RefusedItem[]>;
}

/** All that waits for a person, the most urgent first. `clew` alone shows only the first few. */
export async function inboxItems({ sessions, owners, refusedBeads }: InboxParts): Promise<AnyInboxItem[]> {
  const { projections } = sessions;
  await bringUpToDate(sessions);
  await projections.refresh();
  const items = await projections.ask((index) => index.inbox());
  // Any process may log an answer to an owner's question; the owner waits all the same.
  const waiting = await owners.waiting(new Set(items.map(({ id }) => id)));
  const newestFirst = [...waiting.filter(isQuestion), ...items.toReversed().sort(byStart).map(withoutStart)];
  const questions: AnyInboxItem[] = [];
  const titles = await projections.ask((index) =>
    newestFirst.map(({ session_id }) => index.get(session_id)?.title ?? null),
  );
  for (const [at, item] of newestFirst.entries()) {
    const title = titles[at];
    questions.push(await owners.describe({ ...item, ...(title != null && { title }) }));
  }
  const others = waiting.filter((item) => !isQuestion(item));
  return [...questions, ...others, ...(await refusedBeads())].sort((a, b) => urgency(a) - urgency(b));
}

function isQuestion(item: AnyInboxItem): item is InboxItem {
  return "session_id" in item;
}

/** What keeps work from going on comes before what is merely asked: blocked runs, merges to review, beads, then questions. */
function urgency(item: AnyInboxItem): number {
  if (!isQuestion(item)) return "run" in item ? 3 : 2;
  if (item.run === undefined) return 4;
  return item.kind === "approval_required" ? 1 : 0;
}

function byStart(a: IndexedItem, b: IndexedItem): number {
  return Date.parse(b.started) - Date.parse(a.started) || 0;
}

function withoutStart({ started, ...item }: IndexedItem): InboxItem {
  return item;
}

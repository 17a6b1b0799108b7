import type { AnyInboxItem, InboxItem, RefusedItem, WorkItem } from "../../contract/api/inbox.ts";
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
  /** Work sessions that a person has to see to. */
  waitingWork: () => Promise<WorkItem[]>;
  /** Whether the agent of a talk asks this, and waits for a permission. */
  isPermission: (id: string) => boolean;
}

/** An item, and what orders it: the most urgent first, then what was asked in the newest session. */
export interface RankedItem {
  item: AnyInboxItem;
  urgency: number;
  /** When the session of a question began; 0 of all else. */
  startedMs: number;
}

/** All that waits for a person, the most urgent first. `clew` alone shows only the first few. */
export async function inboxItems(parts: InboxParts): Promise<AnyInboxItem[]> {
  return (await rankedItems(parts)).map(({ item }) => item);
}

export async function rankedItems(parts: InboxParts): Promise<RankedItem[]> {
  const { sessions, owners, refusedBeads, waitingWork, isPermission } = parts;
  const { projections } = sessions;
  await bringUpToDate(sessions);
  await projections.refresh();
  const items = await projections.ask((index) => index.inbox());
  // Any process may log an answer to an owner's question; the owner waits all the same.
  const waiting = await owners.waiting(new Set(items.map(({ id }) => id)));
  const questions = [...waiting.filter(isQuestion), ...items.toReversed().map(withoutStart)];
  const rows = await projections.ask((index) => questions.map(({ session_id }) => index.get(session_id)));
  const ranked: RankedItem[] = [];
  for (const [at, question] of questions.entries()) {
    const row = rows[at];
    const item = await owners.describe({ ...question, ...(row && { title: row.title }) });
    if (item?.kind === "approval_required" && item.run === undefined && isPermission(item.id)) item.kind = "permission";
    if (item) ranked.push({ item, urgency: urgencyOf(item), startedMs: row ? Date.parse(row.started) || 0 : Infinity });
  }
  const others = [...waiting.filter((each) => !isQuestion(each)), ...(await waitingWork()), ...(await refusedBeads())];
  for (const item of others) ranked.push({ item, urgency: urgencyOf(item), startedMs: 0 });
  return ranked.sort(byRank);
}

/** Questions of one session have the same rank. */
export function byRank(a: Omit<RankedItem, "item">, b: Omit<RankedItem, "item">): number {
  return a.urgency - b.urgency || (a.startedMs === b.startedMs ? 0 : b.startedMs - a.startedMs);
}

function isQuestion(item: AnyInboxItem): item is InboxItem {
  return "phase" in item;
}

/** What keeps work from going on comes before what is merely asked: blocked runs and work, merges to review, beads, then questions and plans. */
function urgencyOf(item: AnyInboxItem): number {
  if ("turn" in item) return 4;
  if (!isQuestion(item)) return "run" in item ? 3 : "session_id" in item ? 0 : 2;
  if (item.run === undefined) return 4;
  return item.kind === "approval_required" ? 1 : 0;
}

function withoutStart({ started, ...item }: IndexedItem): InboxItem {
  return item;
}

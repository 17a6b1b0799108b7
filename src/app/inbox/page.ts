import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import { cursorAt, notAPlace, readCursor, type PageRequest } from "../../contract/page.ts";
import { byRank, type RankedItem } from "./items.ts";

/**
 * A page of the inbox. `next` names the last item and its rank, because a person answers items between two pages. When the item
 * is gone, the page begins with the others of its rank: some may come twice, and none is passed over.
 */
export function inboxPage(
  ranked: RankedItem[],
  { limit = Infinity, after }: PageRequest,
): { items: AnyInboxItem[]; next?: string } {
  const start = after === undefined ? 0 : startAfter(ranked, after);
  const page = ranked.slice(start, start + limit);
  const last = start + page.length < ranked.length ? page.at(-1) : undefined;
  const items = page.map(({ item }) => item);
  return { items, ...(last && { next: cursorAt(last.urgency, last.startedMs, last.item.id) }) };
}

function startAfter(ranked: RankedItem[], after: string): number {
  const [urgency, startedMs, id] = readCursor(after, 3);
  if (Number.isNaN(Number(urgency)) || Number.isNaN(Number(startedMs))) throw notAPlace(after);
  const index = ranked.findIndex(({ item }) => item.id === id);
  if (index >= 0) return index + 1;
  const place = { urgency: Number(urgency), startedMs: Number(startedMs) };
  const following = ranked.findIndex((each) => byRank(each, place) >= 0);
  return following < 0 ? ranked.length : following;
}

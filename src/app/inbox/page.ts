import type { AnyInboxItem } from "../../contract/api/inbox.ts";
import { notAPlace, type PageRequest } from "../../contract/page.ts";

/**
 * A page of the inbox. `next` names the last item and its place: a person answers items between two pages, and the place of an
 * item that was answered is that of the one behind it.
 */
export function pageOf(
  items: AnyInboxItem[],
  { limit = Infinity, after }: PageRequest,
): { items: AnyInboxItem[]; next?: string } {
  const start = after === undefined ? 0 : startBehind(items, after);
  const page = items.slice(start, start + limit);
  const last = page.at(-1);
  const place = start + page.length - 1;
  return { items: page, ...(last && place < items.length - 1 && { next: `${place}/${last.id}` }) };
}

function startBehind(items: AnyInboxItem[], after: string): number {
  const [, place, id] = /^(\d{1,9})\/(.+)$/s.exec(after) ?? [];
  if (place === undefined) throw notAPlace(after);
  const at = items.findIndex((item) => item.id === id);
  return at < 0 ? Number(place) : at + 1;
}

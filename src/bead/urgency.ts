import { priorityOf, type Bead } from "../contract/bead.ts";
import { cursorAt, notAPlace, readCursor, type PageRequest } from "../contract/page.ts";

/** Where a bead stands in a list: by priority, then the oldest first, then by id; those without a date come after those with one. */
interface Urgency {
  priority: number;
  created: number;
  id: string;
}

export function byUrgency(beads: readonly Bead[]): Bead[] {
  const keyed = beads.map((bead) => ({ bead, urgency: urgencyOf(bead) }));
  keyed.sort((a, b) => compareUrgency(a.urgency, b.urgency));
  return keyed.map(({ bead }) => bead);
}

/** A page of a list that is sorted by urgency. `after` is the `next` of the page before, whose last bead may be gone by now. */
export function beadPage(
  beads: readonly Bead[],
  { limit = Infinity, after }: PageRequest,
): { beads: Bead[]; next?: string } {
  const last = after === undefined ? undefined : readUrgency(after);
  const rest = last ? beads.filter((bead) => compareUrgency(urgencyOf(bead), last) > 0) : beads;
  const page = rest.slice(0, limit);
  const end = page.length < rest.length ? page.at(-1) : undefined;
  return { beads: page, ...(end && { next: cursorOf(end) }) };
}

function cursorOf(bead: Bead): string {
  const { priority, created, id } = urgencyOf(bead);
  return cursorAt(priority, created, id);
}

function readUrgency(cursor: string): Urgency {
  const [priority, created, id = ""] = readCursor(cursor, 3);
  const last = { priority: Number(priority), created: Number(created), id };
  if (id !== "" && !Number.isNaN(last.priority) && !Number.isNaN(last.created)) return last;
  throw notAPlace(cursor);
}

function urgencyOf(bead: Bead): Urgency {
  const created = Date.parse(String(bead.created_at));
  return { priority: priorityOf(bead), created: Number.isNaN(created) ? Infinity : created, id: bead.id };
}

function compareUrgency(a: Urgency, b: Urgency): number {
  return a.priority - b.priority || compare(a.created, b.created) || compare(a.id, b.id);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

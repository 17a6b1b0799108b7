import type { Bead } from "../contract/bead.ts";
import { awaitedBy, cycleThrough } from "./dependency-cycle.ts";

/** Beads that wait for themselves, over dependencies and parents. */
export interface WaitingCircles {
  has(id: string): boolean;
  /** Both wait for each other, so that a dependency between them is part of a circle. */
  joins(from: string, to: string): boolean;
  /** `a, b, a`: one circle that the bead is in; undefined when there is none. */
  through(id: string): string[] | undefined;
}

/** One pass over all beads: linear in beads and dependencies. */
export function waitingCircles(beads: readonly Bead[]): WaitingCircles {
  const byId = new Map(beads.map((bead) => [bead.id, bead]));
  const groups = groupsOf(byId);
  const joins = (from: string, to: string): boolean => {
    const group = groups.get(from);
    return group !== undefined && group === groups.get(to);
  };
  const nextOf = (id: string): string | undefined => awaitedBy(byId.get(id)).find((next) => joins(id, next));
  return {
    joins,
    has: (id) => nextOf(id) !== undefined,
    through(id) {
      const to = nextOf(id);
      const cycle = to === undefined ? undefined : cycleThrough((each) => byId.get(each), { from: id, to });
      return cycle && [id, ...cycle];
    },
  };
}

/**
 * For each bead the number of the group of beads that can all reach each other (Tarjan's strongly connected
 * components). A stack of our own, because chains of beads are longer than calls can be deep.
 */
function groupsOf(byId: ReadonlyMap<string, Bead>): Map<string, number> {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const groups = new Map<string, number>();
  const open: string[] = [];
  const stack: { id: string; next: string[]; at: number }[] = [];
  const enter = (id: string): void => {
    order.set(id, order.size);
    lowest.set(id, order.get(id)!);
    open.push(id);
    stack.push({ id, next: awaitedBy(byId.get(id)).filter((each) => byId.has(each)), at: 0 });
  };
  const lower = (id: string, to: number): void => void lowest.set(id, Math.min(lowest.get(id)!, to));

  for (const start of byId.keys()) {
    if (!order.has(start)) enter(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.next[top.at++];
      if (next !== undefined) {
        if (!order.has(next)) enter(next);
        else if (!groups.has(next)) lower(top.id, order.get(next)!);
        continue;
      }
      stack.pop();
      const above = stack.at(-1);
      if (above) lower(above.id, lowest.get(top.id)!);
      if (lowest.get(top.id) !== order.get(top.id)) continue;
      for (let id = open.pop()!; ; id = open.pop()!) {
        groups.set(id, order.get(top.id)!);
        if (id === top.id) break;
      }
    }
  }
  return groups;
}

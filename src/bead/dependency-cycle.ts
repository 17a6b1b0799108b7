import { dependenciesOf, dependencyType, type Bead } from "../contract/bead.ts";
import { isBlocking, parentType } from "./readiness.ts";

/** Dependencies that decide who waits for whom: a child also waits for what its parent waits for. */
export function isWaiting(type: string): boolean {
  return type === parentType || isBlocking({ issue_id: "", depends_on_id: "", type });
}

/** The ids that a bead waits for, whether they are there or not. */
export function awaitedBy(bead: Bead | undefined): string[] {
  if (!bead) return [];
  return dependenciesOf(bead).flatMap((each) => (isWaiting(dependencyType(each)) ? [each.depends_on_id] : []));
}

/**
 * The way from `to` back to `from` over dependencies that wait: with one more from `from` to `to`, nobody on it could
 * ever begin. Undefined when there is none.
 */
export function cycleThrough(
  find: (id: string) => Bead | undefined,
  { from, to }: { from: string; to: string },
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[to, undefined]]);
  const waiting = [to];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (id === from) return wayTo(id, cameFrom);
    for (const next of awaitedBy(find(id))) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      waiting.push(next);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: Map<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.push(id);
  return way.toReversed();
}

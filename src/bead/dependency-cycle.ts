import { dependenciesOf, dependencyType, type Bead } from "../contract/bead.ts";
import { isBlocking, parentType } from "./readiness.ts";

/** Dependencies that decide who waits for whom: a child also waits for what its parent waits for. */
export function isWaiting(type: string): boolean {
  return type === parentType || isBlocking({ issue_id: "", depends_on_id: "", type });
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
    const bead = find(id);
    if (!bead) continue;
    for (const dependency of dependenciesOf(bead)) {
      const next = dependency.depends_on_id;
      if (!isWaiting(dependencyType(dependency)) || cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      waiting.push(next);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: Map<string, string | undefined>): string[] {
  const way: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) way.unshift(id);
  return way;
}

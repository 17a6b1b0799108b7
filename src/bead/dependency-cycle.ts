import { isBlocking, dependenciesOf, dependencyType, type Bead } from "../contract/bead.ts";
import { parentType } from "./readiness.ts";

/** Whether one bead waits for another by this type of dependency: a child also waits for what its parent waits for. */
export function isWaitingType(type: string): boolean {
  return type === parentType || isBlocking({ issue_id: "", depends_on_id: "", type });
}

/** The ids that a bead waits for, whether they are there or not. */
export function awaitedBy(bead: Bead | undefined): string[] {
  if (!bead) return [];
  return dependenciesOf(bead).flatMap((each) => (isWaitingType(dependencyType(each)) ? [each.depends_on_id] : []));
}

/**
 * The way from `to` back to `from` over dependencies that wait: with one more from `from` to `to`, no bead on it could
 * ever begin. Undefined when there is none.
 */
export function cycleThrough(
  find: (id: string) => Bead | undefined,
  { from, to }: { from: string; to: string },
): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[to, undefined]]);
  const pending = [to];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (id === from) return pathTo(id, cameFrom);
    for (const next of awaitedBy(find(id))) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      pending.push(next);
    }
  }
  return undefined;
}

function pathTo(end: string, cameFrom: Map<string, string | undefined>): string[] {
  const path: string[] = [];
  for (let id: string | undefined = end; id !== undefined; id = cameFrom.get(id)) path.push(id);
  return path.toReversed();
}

import { circleInWords, isWaiting } from "../bead/dependency-cycle.ts";
import { parentsOf, readinessOf } from "../bead/readiness.ts";
import { waitingCircles } from "../bead/waiting-circles.ts";
import { dependenciesOf, dependencyType, type Bead } from "../contract/bead.ts";

export { circleInWords };

/** A dependency as a person names it. */
export interface NamedDependency {
  type: string;
  id: string;
}

/** A bead with what can be told of it only by looking at the others. Lists are ids where nothing else is said. */
export interface ShownBead {
  bead: Bead;
  ready: boolean;
  /** Its status; of an open one that is not ready, what keeps it from that. */
  standing: string;
  parents: string[];
  blocked_by: string[];
  held_by_parent: string[];
  missing: string[];
  /** `a, b, a` when it waits for itself, over dependencies and parents; else empty. */
  circle: string[];
  blocks: string[];
  children: string[];
  /** Relations that nobody waits for. */
  related: NamedDependency[];
}

export function shownBead(bead: Bead, beads: Bead[], nowMs: number): ShownBead {
  const readiness = readinessOf(beads, nowMs);
  return {
    bead,
    ready: readiness.isReady(bead),
    standing: readiness.standingOf(bead),
    parents: parentsOf(bead),
    blocked_by: readiness.blockersOf(bead),
    held_by_parent: readiness.heldParentsOf(bead),
    missing: readiness.missingOf(bead),
    circle: waitingCircles(beads).through(bead.id) ?? [],
    blocks: beads.flatMap((each) => (readiness.blockersOf(each).includes(bead.id) ? [each.id] : [])),
    children: readiness.openChildrenOf(bead).map((each) => each.id),
    related: dependenciesOf(bead)
      .map((each) => ({ type: dependencyType(each), id: each.depends_on_id }))
      .filter(({ type }) => !isWaiting(type)),
  };
}

import {
  dependenciesOf,
  dependencyType,
  isBlocking,
  beadStatusOf,
  tombstone,
  beadTypeOf,
  type Bead,
} from "../contract/bead.ts";
import { byUrgency } from "./urgency.ts";
import { addToList } from "../text/add-to-list.ts";

export const parentType = "parent-child";

/** The beads that this one stands below; one, as a rule. */
export function parentsOf(bead: Bead): string[] {
  return dependenciesOf(bead).flatMap((each) => (dependencyType(each) === parentType ? [each.depends_on_id] : []));
}

/** Not yet done; the target of a dependency blocks as long as it is. */
export function isUnfinished(bead: Bead): boolean {
  const status = beadStatusOf(bead);
  return status !== "closed" && status !== tombstone;
}

/** Later by its status, or by a date that has not come. */
function isDeferred(bead: Bead, nowMs: number): boolean {
  if (beadStatusOf(bead) === "deferred") return true;
  return bead.defer_until !== undefined && Date.parse(bead.defer_until) > nowMs;
}

/** Answers about one bead that depend on all the others. */
export interface Readiness {
  isReady(bead: Bead): boolean;
  /** Its status in one word. For an open bead that is not ready it is the reason: template, pinned, deferred, claimed or waits. */
  standingOf(bead: Bead): string;
  /** Ids of the unfinished beads that it depends on. */
  blockersOf(bead: Bead): string[];
  /** Ids of parents that are themselves blocked or deferred. */
  heldParentsOf(bead: Bead): string[];
  /** Ids that it depends on and that no bead has; these do not block. */
  missingOf(bead: Bead): string[];
  /** Unfinished beads that stand below it. */
  openChildrenOf(bead: Bead): Bead[];
}

/** Beads that work sessions have claimed. */
export type ClaimedBeads = Pick<ReadonlySet<string>, "has">;

const none: ClaimedBeads = new Set();

/** One pass over all beads: linear in beads and dependencies, and indifferent to cycles. `claimed` are those of work sessions. */
export function readinessOf(beads: readonly Bead[], nowMs: number, claimed: ClaimedBeads = none): Readiness {
  const byId = new Map<string, Bead>();
  const children = new Map<string, Bead[]>();
  for (const bead of beads) {
    byId.set(bead.id, bead);
    if (!isUnfinished(bead)) continue;
    for (const parent of parentsOf(bead)) addToList(children, parent, bead);
  }

  const blockersOf = (bead: Bead): string[] => {
    const blockers = new Set<string>();
    for (const dependency of dependenciesOf(bead)) {
      const target = isBlocking(dependency) && byId.get(dependency.depends_on_id);
      if (target && isUnfinished(target)) blockers.add(target.id);
    }
    return [...blockers];
  };

  // From each bead that is held by itself down to all below it. What is held already is not gone through again.
  const heldIds = new Set<string>();
  const pending = beads.filter(
    (bead) =>
      isUnfinished(bead) &&
      (beadStatusOf(bead) === "blocked" ||
        isDeferred(bead, nowMs) ||
        bead["is_template"] === true ||
        blockersOf(bead).length > 0),
  );
  for (let bead = pending.pop(); bead; bead = pending.pop()) {
    if (heldIds.has(bead.id)) continue;
    heldIds.add(bead.id);
    for (const child of children.get(bead.id) ?? []) pending.push(child);
  }

  const standingOf = (bead: Bead): string => {
    if (beadStatusOf(bead) !== "open") return beadStatusOf(bead);
    if (bead["is_template"] === true) return "template";
    if (bead["pinned"] === true) return "pinned";
    if (isDeferred(bead, nowMs)) return "deferred";
    if (claimed.has(bead.id)) return "claimed";
    return heldIds.has(bead.id) ? "waits" : "open";
  };

  return {
    isReady: (bead) => standingOf(bead) === "open",
    standingOf,
    blockersOf,
    heldParentsOf: (bead) => [...new Set(parentsOf(bead))].filter((id) => heldIds.has(id)),
    missingOf: (bead) => [
      ...new Set(dependenciesOf(bead).flatMap(({ depends_on_id: id }) => (byId.has(id) ? [] : [id]))),
    ],
    openChildrenOf: (bead) => children.get(bead.id) ?? [],
  };
}

/** Ids of the unfinished beads that this one, or one that it is a part of, depends on. */
export function openDependencies(bead: Bead, readAll: () => readonly Bead[]): string[] {
  // Most beads depend on nothing, and then the others need not be read.
  if (dependenciesOf(bead).length === 0) return [];
  const beads = readAll();
  const byId = new Map(beads.map((each) => [each.id, each]));
  const readiness = readinessOf(beads, 0);
  const beadAndParents = new Set([bead]);
  for (const each of beadAndParents) {
    for (const parent of parentsOf(each).map((id) => byId.get(id)))
      if (parent && isUnfinished(parent)) beadAndParents.add(parent);
  }
  return [...new Set([...beadAndParents].flatMap((each) => readiness.blockersOf(each)))];
}

/** The ready ones, the most urgent first. */
export function readyBeads(beads: readonly Bead[], nowMs: number, claimed?: ClaimedBeads): Bead[] {
  const readiness = readinessOf(beads, nowMs, claimed);
  return byUrgency(beads.filter((bead) => readiness.isReady(bead)));
}

/**
 * The ready ones that are work by themselves: the scheduler takes these. The work of an epic, and
 * of any bead with unfinished ones below it, is theirs.
 */
export function startableBeads(beads: readonly Bead[], nowMs: number, claimed?: ClaimedBeads): Bead[] {
  const readiness = readinessOf(beads, nowMs, claimed);
  return byUrgency(
    beads.filter(
      (bead) => readiness.isReady(bead) && beadTypeOf(bead) !== "epic" && readiness.openChildrenOf(bead).length === 0,
    ),
  );
}

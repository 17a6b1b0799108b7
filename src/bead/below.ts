import type { Bead } from "../contract/bead.ts";
import { addToList } from "../text/add-to-list.ts";
import { isUnfinished, parentsOf, readinessOf, type ClaimedBeads } from "./readiness.ts";
import { byUrgency } from "./urgency.ts";

/** Tracks and stages are beads that contain others. All that stand below one, at any depth, each once. */
export function beadsBelow(beads: readonly Bead[], id: string): Bead[] {
  const children = childrenOf(beads);
  const below = new Set<Bead>();
  const pending = [id];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const child of children.get(parent) ?? []) {
      if (child.id === id || below.has(child)) continue;
      below.add(child);
      pending.push(child.id);
    }
  }
  return [...below];
}

/** The ready ones below that contain nothing unfinished themselves, the most urgent first. `held` are those of work sessions. */
export function readyBelow(beads: readonly Bead[], id: string, nowMs: number, held: ClaimedBeads): Bead[] {
  const readiness = readinessOf(beads, nowMs, held);
  return byUrgency(
    beadsBelow(beads, id).filter((bead) => readiness.isReady(bead) && readiness.openChildrenOf(bead).length === 0),
  );
}

/** The stage that a bead stands in, its track, and so on upwards. Each once, also in a circle. */
export function containersOf(beads: readonly Bead[], bead: Bead): Bead[] {
  const byId = new Map(beads.map((each) => [each.id, each]));
  const containers = new Set<Bead>();
  for (let next = parentOf(bead); next && next !== bead && !containers.has(next); next = parentOf(next)) {
    containers.add(next);
  }
  return [...containers];

  function parentOf(each: Bead): Bead | undefined {
    return parentsOf(each).flatMap((id) => byId.get(id) ?? [])[0];
  }
}

/** The beads that contain this closed one and nothing unfinished any more: they are done as well, from below upwards. */
export function completedBy(beads: readonly Bead[], closed: string): Bead[] {
  const byId = new Map(beads.map((each) => [each.id, each]));
  const children = childrenOf(beads);
  const done = new Set([closed]);
  const completed: Bead[] = [];
  const pending = [...parentsOf(byId.get(closed)!)];
  for (let id = pending.shift(); id !== undefined; id = pending.shift()) {
    const parent = byId.get(id);
    if (!parent || done.has(id) || !isUnfinished(parent)) continue;
    if ((children.get(id) ?? []).some((child) => !done.has(child.id) && isUnfinished(child))) continue;
    done.add(id);
    completed.push(parent);
    pending.push(...parentsOf(parent));
  }
  return completed;
}

function childrenOf(beads: readonly Bead[]): Map<string, Bead[]> {
  const children = new Map<string, Bead[]>();
  for (const bead of beads) for (const parent of parentsOf(bead)) addToList(children, parent, bead);
  return children;
}

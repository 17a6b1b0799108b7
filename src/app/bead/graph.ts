import { dependencyTree, treeRoots, type TreeLine } from "../../bead/dependency-tree.ts";
import { isUnfinished, parentType, readinessOf, type ClaimedBeads } from "../../bead/readiness.ts";
import { deletedAt } from "../../bead/tombstone.ts";
import { waitingCircles } from "../../bead/waiting-circles.ts";
import type { GraphLine } from "../../contract/api/bead-shapes.ts";
import { isBlocking, beadStatusOf, type Bead } from "../../contract/bead.ts";

/** The picture below one bead, or of all; closed ones that nothing unfinished depends on only with `all`. */
export function graphOf(
  { beads, tombstones }: { beads: Bead[]; tombstones: ReadonlyMap<string, Bead> },
  request: { root?: string; all?: boolean },
  { nowMs, held }: { nowMs: number; held: ClaimedBeads },
): GraphLine[] {
  const { root, all = false } = request;
  const readiness = readinessOf(beads, nowMs, held);
  const circles = waitingCircles(beads);
  const roots = root === undefined ? treeRoots(all ? beads : beads.filter(isUnfinished)) : [root];
  return dependencyTree(beads, roots).map(({ id, bead, by, more, mark }: TreeLine) => ({
    id,
    ...(bead ? { status: beadStatusOf(bead) } : absence(tombstones.get(id))),
    title: bead?.title ?? "",
    ready: bead !== undefined && readiness.isReady(bead),
    circular: circles.has(id),
    ...(by !== undefined && { relation: relationWord(by) }),
    more,
    ...(mark !== undefined && { mark }),
  }));
}

function absence(deletedBead: Bead | undefined): Pick<GraphLine, "status" | "deleted_at"> {
  if (!deletedBead) return { status: "missing" };
  const at = deletedAt(deletedBead);
  return { status: "deleted", ...(at !== undefined && { deleted_at: at }) };
}

function relationWord(type: string): string {
  if (type === parentType) return "part";
  return isBlocking({ issue_id: "", depends_on_id: "", type }) ? "needs" : type;
}

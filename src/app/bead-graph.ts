import { dependencyTree, treeRoots, type TreeLine } from "../bead/dependency-tree.ts";
import { isBlocking, isUnfinished, parentType, readinessOf } from "../bead/readiness.ts";
import { waitingCircles } from "../bead/waiting-circles.ts";
import { statusOf, type Bead } from "../contract/bead.ts";

/** A line of the picture of dependencies. */
export interface GraphLine {
  id: string;
  /** Of the bead, or `missing` when there is none of this id. */
  status: string;
  title: string;
  ready: boolean;
  /** It waits for itself, over dependencies and parents. */
  circular: boolean;
  /** How it hangs below the one above: that one `needs` it or contains it (`part`), or the type of another relation. */
  relation?: string;
  /** For each level above, whether more follows there; the last is this line's own. */
  more: boolean[];
  /** `again`: its own branches stand at its first place. `cycle`: it is on the way to itself. `deep`: cut here. */
  mark?: "again" | "cycle" | "deep";
}

/** The picture below one bead, or of all; closed ones that nothing unfinished depends on only with `all`. */
export function graphOf(beads: Bead[], asked: { root?: string; all?: boolean }, nowMs: number): GraphLine[] {
  const { root, all = false } = asked;
  const readiness = readinessOf(beads, nowMs);
  const circles = waitingCircles(beads);
  const roots = root === undefined ? treeRoots(all ? beads : beads.filter(isUnfinished)) : [root];
  return dependencyTree(beads, roots).map(({ id, bead, by, more, mark }: TreeLine) => ({
    id,
    status: bead ? statusOf(bead) : "missing",
    title: bead?.title ?? "",
    ready: bead !== undefined && readiness.isReady(bead),
    circular: circles.has(id),
    ...(by !== undefined && { relation: relationWord(by) }),
    more,
    ...(mark !== undefined && { mark }),
  }));
}

function relationWord(type: string): string {
  if (type === parentType) return "part";
  return isBlocking({ issue_id: "", depends_on_id: "", type }) ? "needs" : type;
}

import { dependenciesOf, dependencyType, type Bead } from "../contract/bead.ts";
import { parentType } from "./readiness.ts";
import { addToList } from "../text/add-to-list.ts";

/** A line of the picture. */
export interface TreeLine {
  id: string;
  /** Undefined when no bead has this id. */
  bead: Bead | undefined;
  /** How it hangs below the line above: what that one depends on by this type, or a bead below it. */
  by: string | undefined;
  /** For each level above, whether more follows there; the last is this line's own. */
  more: boolean[];
  /** `again`: its own branches stand at its first place. `cycle`: it is on the way to itself. `deep`: cut here. */
  mark?: "again" | "cycle" | "deep";
}

/** A person cannot follow deeper lines. */
const maxDepth = 40;

/**
 * The beads below `roots`: what each depends on, and the beads that it contains. Each bead's branches stand once; where
 * it comes again it is only named, so that the picture is as long as there are beads and dependencies.
 */
export function dependencyTree(beads: readonly Bead[], roots: readonly string[]): TreeLine[] {
  const byId = new Map(beads.map((bead) => [bead.id, bead]));
  const branches = branchesOf(beads);
  const lines: TreeLine[] = [];
  const visited = new Set<string>();
  const ancestors = new Set<string>();

  const visit = (id: string, by: string | undefined, more: boolean[]): void => {
    const line: TreeLine = { id, bead: byId.get(id), by, more };
    lines.push(line);
    const below = branches.get(id) ?? [];
    if (ancestors.has(id)) line.mark = "cycle";
    else if (below.length > 0 && visited.has(id)) line.mark = "again";
    else if (below.length > 0 && more.length >= maxDepth) line.mark = "deep";
    if (line.mark !== undefined) return;
    visited.add(id);
    ancestors.add(id);
    below.forEach((branch, at) => visit(branch.id, branch.by, [...more, at < below.length - 1]));
    ancestors.delete(id);
  };
  for (const root of roots) visit(root, undefined, []);
  return lines;
}

/** Where to begin so that every bead with a dependency is in the picture: those below no other, then one of each cycle. */
export function treeRoots(beads: readonly Bead[]): string[] {
  const branches = branchesOf(beads);
  const below = new Set([...branches.values()].flatMap((each) => each.map(({ id }) => id)));
  const ids = beads.flatMap(({ id }) => (branches.has(id) ? [id] : []));
  const reached = new Set<string>();
  const reach = (start: string): void => {
    const pending = [start];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      for (const branch of branches.get(id) ?? []) pending.push(branch.id);
    }
  };
  const roots = ids.filter((id) => !below.has(id));
  roots.forEach(reach);
  for (const id of ids) {
    if (reached.has(id)) continue;
    roots.push(id);
    reach(id);
  }
  return roots;
}

interface Branch {
  id: string;
  by: string;
}

function branchesOf(beads: readonly Bead[]): Map<string, Branch[]> {
  const branches = new Map<string, Branch[]>();
  for (const bead of beads) {
    for (const dependency of dependenciesOf(bead)) {
      const by = dependencyType(dependency);
      // A parent contains its children, so they stand below it.
      if (by === parentType) addToList(branches, dependency.depends_on_id, { id: bead.id, by });
      else addToList(branches, bead.id, { id: dependency.depends_on_id, by });
    }
  }
  return branches;
}

import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import { nodeDisk } from "../../files/node-disk.ts";
import { explainErrors } from "../../files/failure.ts";
import { rootPaths } from "../../layout.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";

/** Whether git would take this place: nothing is there, or an empty folder. */
export function isFree(place: string): boolean {
  const stats = lstatSync(place, { throwIfNoEntry: false });
  return !stats || (stats.isDirectory() && readdirSync(place).length === 0);
}

/** Throws when something else than a folder is called `.worktrees`. */
export function refuseNonFolder(root: string): void {
  const folder = rootPaths.worktrees(root);
  const stats = explainErrors(folder, () => lstatSync(folder, { throwIfNoEntry: false }));
  if (!stats || stats.isDirectory()) return;
  throw new ClewError("not_possible_now", `${folder} is not a folder`, "move it away: worktrees of runs stand there");
}

/** Throws when something else than a worktree stands in the place of a bead's worktree, as far as files tell. */
export function refuseForeign(root: string, bead: string): void {
  refuseNonFolder(root);
  const place = worktreePaths.of(root, bead);
  if (isFree(place) || lstatSync(join(place, ".git"), { throwIfNoEntry: false })) return;
  throw new ClewError("not_possible_now", `${place} is not a worktree that git knows`, "move it away");
}

/** Makes `.worktrees/` with an ignore file that hides it from git: the user's ignore files are not touched. */
export function prepareWorktreesFolder(root: string): void {
  refuseNonFolder(root);
  const folder = rootPaths.worktrees(root);
  explainErrors(folder, () => void mkdirSync(folder, { recursive: true }));
  const rules = worktreePaths.ignoreRules(root);
  if (!nodeDisk.stamp(rules)) nodeDisk.replace(rules, Buffer.from("*\n"));
}

import { lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import { nodeDisk } from "../../files/node-disk.ts";
import { explainErrors } from "../../files/failure.ts";
import { rootPaths } from "../../layout.ts";

const canNameFolder = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;

/** `.worktrees/<name>`: the bead's id where it can name a folder, else its letters and digits with a short hash. */
export function worktreeFolder(root: string, bead: string): string {
  return join(rootPaths.worktrees(root), folderName(bead));
}

function folderName(bead: string): string {
  const isSafe = canNameFolder.test(bead) && !bead.includes("..") && !/\.(?:lock)?$/.test(bead);
  if (isSafe) return bead;
  const words = bead.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+/, "");
  const { createHash } = process.getBuiltinModule("node:crypto");
  const hash = createHash("sha256").update(bead).digest("hex").slice(0, 8);
  return `${words.slice(0, 40) || "bead"}-${hash}`.replace(/-+/g, "-");
}

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
  const place = worktreeFolder(root, bead);
  if (isFree(place) || lstatSync(join(place, ".git"), { throwIfNoEntry: false })) return;
  throw new ClewError("not_possible_now", `${place} is not a worktree that git knows`, "move it away");
}

/** Makes `.worktrees/` with an ignore file that hides it from git: the user's ignore files are not touched. */
export function prepareWorktreesFolder(root: string): void {
  refuseNonFolder(root);
  const folder = rootPaths.worktrees(root);
  explainErrors(folder, () => void mkdirSync(folder, { recursive: true }));
  const rules = join(folder, ".gitignore");
  if (!nodeDisk.stamp(rules)) nodeDisk.replace(rules, Buffer.from("*\n"));
}

import { lstatSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { homeIn, paths, rootPaths, type Layout } from "../layout.ts";
import { existingPath } from "./real-path.ts";
import { attempt } from "../../text/attempt.ts";

/** The folders in which Clew's files may be. */
export interface Bounds {
  /** The main checkout. */
  root: string;
  /** Git's folder, with Clew's own folder in it. */
  commonDir: string;
  /** Folders elsewhere that the user allowed `.clew` to lead to. */
  allowedFolders: string[];
}

/** `isAllowed`: the user said in their own settings that `folders` may be links out of the repository. */
export function boundsOf(root: string, commonDir: string, folders: string[], isAllowed: boolean): Bounds {
  return { root, commonDir, allowedFolders: isAllowed ? folders.flatMap((folder) => existingPath(folder) ?? []) : [] };
}

/** The bounds of all that Clew keeps. Throws when a folder leads out of them that is not opened through the disk. */
export function repositoryBounds(commonDir: string, layout: Layout, isAllowed: boolean): Bounds {
  const linkable = [rootPaths.clew(layout.root), layout.sessions, layout.home];
  const bounds = boundsOf(layout.root, commonDir, linkable, isAllowed);
  // SQLite and the index open these themselves.
  for (const folder of [paths.locks(layout), paths.index(layout), paths.search(layout)]) refuseLinkOut(bounds, folder);
  return bounds;
}

/**
 * The first link on the way to a path that leads out of the bounds, or nowhere (`target` is undefined). Paths that begin
 * elsewhere are not checked.
 */
export function findLinkOut(bounds: Bounds, path: string): { link: string; target: string | undefined } | undefined {
  const base = [bounds.commonDir, bounds.root].find((folder) => isBelow(path, folder));
  if (base === undefined) return undefined;
  let at = base;
  for (const part of relative(base, path).split(sep)) {
    at = join(at, part);
    const stats = linkStats(at);
    if (!stats) return undefined;
    if (!stats.isSymbolicLink()) continue;
    const target = existingPath(at);
    if (target === undefined || !isInside(bounds, base, target)) return { link: at, target };
    at = target;
  }
  return undefined;
}

/** Undefined also below a file, or in a folder without rights. */
function linkStats(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }), undefined);
}

/** Throws when a link leads out of the bounds. */
export function refuseLinkOut(bounds: Bounds, path: string): void {
  const out = findLinkOut(bounds, path);
  if (!out) return;
  throw new ClewError(
    "leads_outside",
    `${out.link} is a link to ${out.target ?? "a place that is not there"}, and Clew writes only inside the repository`,
    "put a folder or file in its place; a linked .clew can be allowed in your own settings (allow_linked_clew, see clew config show)",
  );
}

/** Inside the checkout, git's folder is out of bounds except for Clew's part: git would run a hook that was written to. */
function isInside({ root, commonDir, allowedFolders }: Bounds, base: string, target: string): boolean {
  const isIn = (folder: string): boolean => target === folder || isBelow(target, folder);
  const git = existingPath(commonDir) ?? commonDir;
  if (isIn(homeIn(git))) return true;
  if (allowedFolders.some(isIn)) return true;
  if (base === commonDir) return isIn(git);
  return isIn(root) && !isIn(git) && !relative(root, target).split(sep).includes(".git");
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

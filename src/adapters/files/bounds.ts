import { lstatSync, realpathSync, type Stats } from "node:fs";
import { join, relative, sep } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { homeIn } from "../layout.ts";

/** Where Clew's files may stand. */
export interface Bounds {
  /** The main checkout. */
  root: string;
  /** Git's folder, which has Clew's own one in it. */
  commonDir: string;
  /** Folders elsewhere that the user allowed `.clew` to lead to. */
  allowedFolders: string[];
}

/** `isAllowed`: the user said in their own settings that `folders` may be links out of the repository. */
export function boundsOf(root: string, commonDir: string, folders: string[], isAllowed: boolean): Bounds {
  return { root, commonDir, allowedFolders: isAllowed ? folders.flatMap((folder) => realPath(folder) ?? []) : [] };
}

/** A link on the way to a path, and where it leads: out of the bounds, or nowhere (`undefined`). */
export interface LinkOut {
  link: string;
  target: string | undefined;
}

/** The first link on the way to a path that leads out of the bounds. Paths that begin elsewhere are not looked at. */
export function findLinkOut(bounds: Bounds, path: string): LinkOut | undefined {
  const base = [bounds.commonDir, bounds.root].find((folder) => isBelow(path, folder));
  if (base === undefined) return undefined;
  let at = base;
  for (const part of relative(base, path).split(sep)) {
    at = join(at, part);
    const stats = linkStats(at);
    if (!stats) return undefined;
    if (!stats.isSymbolicLink()) continue;
    const target = realPath(at);
    if (target === undefined || !isInside(bounds, base, target)) return { link: at, target };
    at = target;
  }
  return undefined;
}

/** Undefined where nothing can be: below a file, or where nobody may look. */
function linkStats(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Throws before anything is written where it does not belong. */
export function refuseLinkOut(bounds: Bounds, path: string): void {
  const out = findLinkOut(bounds, path);
  if (!out) return;
  throw new ClewError(
    "leads_outside",
    `${out.link} is a link to ${out.target ?? "a place that is not there"}, and Clew writes only inside the repository`,
    "put a folder or file in its place; a linked .clew can be allowed in your own settings (allow_linked_clew, see clew config show)",
  );
}

/** Inside the checkout git's folder is out of bounds, but for what is Clew's: a hook that is written to would be run. */
function isInside({ root, commonDir, allowedFolders }: Bounds, base: string, target: string): boolean {
  const isIn = (folder: string): boolean => target === folder || isBelow(target, folder);
  const git = realPath(commonDir) ?? commonDir;
  if (isIn(homeIn(git))) return true;
  if (allowedFolders.some(isIn)) return true;
  if (base === commonDir) return isIn(git);
  return isIn(root) && !isIn(git) && !relative(root, target).split(sep).includes(".git");
}

export function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

import { constants, lstatSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { explainFailure } from "../../files/failure.ts";
import type { GitCalls } from "../git-calls.ts";
import { gitlinkMode } from "../merge/plumbing/raw-diff.ts";
import { copyLimits, findCopies, type Copy } from "./find-copies.ts";

/** How many files are copied between two reports. */
const filesPerReport = 1000;

/**
 * What has to be copied from the main checkout into a worktree. What git tracks comes from git and is left out, so that a
 * copy never changes what a commit says.
 */
export async function planCopies(
  git: GitCalls,
  { root, folder, patterns }: { root: string; folder: string; patterns: string[] },
): Promise<{ copies: Copy[]; remarks: string[] } | { refusal: string }> {
  const { copies: matches, remarks } = findCopies(root, patterns);
  const isTracked = await trackedIn(git, folder);
  const copies = matches.filter(({ path }) => !isTracked(path));
  const bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0);
  if (matches.length > copyLimits.files || bytes > copyLimits.bytes) {
    const what = matches.length > copyLimits.files ? `over ${copyLimits.files} files` : "over 1 GiB";
    return { refusal: `worktree.copy names ${what}: let worktree.setup make them, or name less` };
  }
  const tracked = matches.length - copies.length;
  if (tracked > 0) remarks.push(`${tracked} of the files to copy are tracked: they come from git`);
  return { copies, remarks };
}

/** Tells whether git tracks a path: a file, or anything in the folder of a submodule. */
async function trackedIn(git: GitCalls, folder: string): Promise<(path: string) => boolean> {
  const { stdout } = await git.plain(folder, ["ls-files", "--stage", "-z"]);
  const lines = stdout.toString("utf8").split("\0");
  const pathIn = (line: string): string => line.slice(line.indexOf("\t") + 1);
  const files = new Set(lines.map(pathIn));
  const modules = lines.filter((line) => line.startsWith(gitlinkMode)).map(pathIn);
  return (path) => files.has(path) || modules.some((module) => path.startsWith(`${module}/`));
}

/** Copies files with their mode, and links as links, over what is there. Returns what could not be copied, and why. */
export async function copyFiles(
  copies: Copy[],
  { root, folder, report }: { root: string; folder: string; report: (line: string) => void },
): Promise<string[]> {
  const remarks: string[] = [];
  for (const [index, { path, kind }] of copies.entries()) {
    if (index > 0 && index % filesPerReport === 0) report(`copied ${index} of ${copies.length} files`);
    const [source, place] = [join(root, path), join(folder, path)];
    try {
      if (!clearPath(folder, path)) remarks.push(`${path} was not copied: git has something else there`);
      else if (kind === "link") symlinkSync(readlinkSync(source), place);
      else await copyFile(source, place, constants.COPYFILE_FICLONE);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" && code !== "EACCES") throw explainFailure(error, place);
      remarks.push(`${path} was not copied: ${code === "ENOENT" ? "it is gone" : "no permission"}`);
    }
  }
  return remarks;
}

/** Makes room for a copy; false when something is in the way. Follows no link: it could lead out of the worktree. */
function clearPath(folder: string, path: string): boolean {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const parent = join(folder, ...parts.slice(0, depth));
    const stats = lstatSync(parent, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory()) return false;
    if (!stats) mkdirSync(parent);
  }
  const place = join(folder, path);
  const stats = lstatSync(place, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return false;
  if (stats) rmSync(place);
  return true;
}

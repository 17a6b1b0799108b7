import { lstatSync, readdirSync, type Stats } from "node:fs";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf, ask } from "../plumbing/ask.ts";
import { diskPath, parentPaths, splitPaths, type BytePath } from "../plumbing/paths.ts";
import { absentMode, type RawChange } from "../plumbing/raw-diff.ts";
import { isUnmerged, uncommittedLines } from "../plumbing/git-status.ts";
import { attempt } from "../../../../text/attempt.ts";

/**
 * The work in a checkout that a merge would have to write over: staged, unstaged, untracked or ignored, at a path that
 * changes or where it needs a folder. Reads only. Git checks again when it lands; this names the files.
 */
export async function overlapWith(git: GitCalls, folder: string, changes: RawChange[]): Promise<BytePath[]> {
  const tracked = await trackedIn(git, folder);
  const changed = new Set(changes.map(({ path }) => path));
  const folders = new Set(changes.flatMap(({ path }) => parentPaths(path)));
  const isTouched = (path: BytePath): boolean =>
    changed.has(path) || folders.has(path) || parentPaths(path).some((parent) => changed.has(parent));

  const overlap = new Set<BytePath>();
  for (const line of await uncommittedLines(git, folder, "no")) {
    // Git merges nothing while the index has conflicts, wherever they are.
    if (isTouched(line.path) || isUnmerged(line)) overlap.add(line.path);
  }
  for (const { path, new: after } of changes) {
    if (after.mode === absentMode) continue;
    for (const entryPath of untrackedAt(folder, path, tracked)) overlap.add(entryPath);
  }
  return [...overlap].sort();
}

/** Tells whether git knows a path; with case folded where the file system does so. */
async function trackedIn(git: GitCalls, folder: string): Promise<(path: BytePath) => boolean> {
  const { stdout } = await ask(git, folder, ["config", "--type=bool", "--get", "core.ignoreCase"]);
  const fold = (path: BytePath): BytePath => (stdout.toString("latin1").trim() === "true" ? path.toLowerCase() : path);
  const paths = new Set(splitPaths(await answerOf(git, folder, ["ls-files", "-z", "--full-name"])).map(fold));
  return (path) => paths.has(fold(path));
}

/** What stands, untracked, where a file has to be written, or in the place of one of its folders. */
function untrackedAt(folder: string, path: BytePath, isTracked: (path: BytePath) => boolean): BytePath[] {
  for (const parent of parentPaths(path)) {
    const stats = statsOf(folder, parent);
    if (stats !== undefined && !stats.isDirectory() && !isTracked(parent)) return [parent];
  }
  if (isTracked(path)) return [];
  const stats = statsOf(folder, path);
  if (stats === undefined) return [];
  return stats.isDirectory() ? untrackedBelow(folder, path, isTracked) : [path];
}

/** A folder gives way to a file only when all in it is git's, and goes with the merge. */
function untrackedBelow(folder: string, path: BytePath, isTracked: (path: BytePath) => boolean): BytePath[] {
  const names = readdirSync(diskPath(folder, path), { encoding: "latin1", withFileTypes: true });
  return names.flatMap((entry) => {
    const entryPath = `${path}/${entry.name}`;
    if (isTracked(entryPath)) return [];
    return entry.isDirectory() ? untrackedBelow(folder, entryPath, isTracked) : [entryPath];
  });
}

function statsOf(folder: string, path: BytePath): Stats | undefined {
  // A file stands where the path needs a folder: the check of its parent reports it.
  return attempt(() => lstatSync(diskPath(folder, path), { throwIfNoEntry: false }), undefined);
}

import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import type { BytePath } from "../plumbing/paths.ts";
import { readRaw, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";

/** The lines around a conflict. An underline of `=======` alone is Markdown, and `conflict-marker-size` makes them longer. */
const opening = "^<{7,} ";
const closing = "^>{7,} ";

export function hasMarkers(text: string): boolean {
  return new RegExp(opening, "m").test(text) && new RegExp(closing, "m").test(text);
}

/** Staged files to which a commit would add conflict markers, compared with each commit that it would follow. */
export async function stagedMarkers(git: GitCalls, worktree: string, parents: string[]): Promise<BytePath[]> {
  const [first = "HEAD", ...others] = parents;
  const suspects = await changedByPattern(git, worktree, ["diff-index", "--cached"], [first]);
  const markedPaths: BytePath[] = [];
  for (const { path, old, new: staged } of suspects) {
    if (!(await blobHasMarkers(git, worktree, staged.id)) || (await blobHasMarkers(git, worktree, old.id))) continue;
    if (!(await standsInOneOf(git, worktree, path, others))) markedPaths.push(path);
  }
  return markedPaths;
}

/** Files to which a computed merge added markers; `sides` are the commit before it and its tree. */
export async function markedByMerge(git: GitCalls, worktree: string, sides: string[]): Promise<Set<BytePath>> {
  const changes = await changedByPattern(git, worktree, ["diff-tree", "-r"], sides);
  return new Set(changes.map(({ path }) => path));
}

/** Text files whose diff has both lines; git does not search binary files. */
async function changedByPattern(
  git: GitCalls,
  worktree: string,
  command: string[],
  sides: string[],
): Promise<RawChange[]> {
  const search = (pattern: string): Promise<Buffer> =>
    answerOf(git, worktree, [...command, "--raw", "-z", "--no-renames", `-G${pattern}`, ...sides, "--"]);
  const openingChanges = readRaw(await search(opening));
  if (openingChanges.length === 0) return [];
  const closingPaths = new Set(readRaw(await search(closing)).map(({ path }) => path));
  return openingChanges.filter(({ path }) => closingPaths.has(path));
}

/** Whether the file, with its markers, comes from one of these commits as it is. */
async function standsInOneOf(git: GitCalls, worktree: string, path: BytePath, commits: string[]): Promise<boolean> {
  for (const commit of commits) {
    const changes = await stagedChanges(git, worktree, commit);
    const change = changes.find((each) => each.path === path);
    if (change === undefined || (await blobHasMarkers(git, worktree, change.old.id))) return true;
  }
  return false;
}

async function blobHasMarkers(git: GitCalls, worktree: string, id: string): Promise<boolean> {
  if (/^0+$/.test(id)) return false;
  return hasMarkers((await answerOf(git, worktree, ["cat-file", "blob", id])).toString("latin1"));
}

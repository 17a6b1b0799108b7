import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import { describeConflict, type UnmergedPath } from "./describe-conflict.ts";
import { hasMarkers, markedByMerge } from "./markers.ts";
import { mergedTree } from "../offer/merged-tree.ts";
import { diskPath, displayPath, splitPaths, type BytePath } from "../plumbing/paths.ts";
import type { Conflict } from "../types.ts";
import { attempt } from "../../../../text/attempt.ts";

/** Larger files are not searched for markers. */
const maxTextBytes = 8 * 1024 * 1024;

/**
 * The part of a conflict in the worktree that is not solved yet. A file with markers is solved when they are gone. One
 * without (a side deleted it, it is binary) is solved when a person has added or removed it: nothing else tells a decision
 * from what git left there.
 */
export async function unsolvedConflict(git: GitCalls, worktree: string, gitDir: string): Promise<Conflict | undefined> {
  const unmerged = await unmergedIn(git, worktree);
  const unsolved = unmerged.filter(({ text }) => text === undefined || hasMarkers(text));
  const unmarked = unmerged.filter((each) => !unsolved.includes(each));
  if (unmarked.length > 0) {
    const pathsWithMarkers = await markedPaths(git, worktree, gitDir);
    unsolved.push(...unmarked.filter(({ path }) => !pathsWithMarkers.has(path)));
  }
  return unsolved.length === 0 ? undefined : conflictOf(unsolved);
}

/** The same for files that were staged with their markers. */
export function stagedConflict(worktree: string, paths: BytePath[]): Conflict {
  return conflictOf(paths.map((path) => ({ path, stages: [], text: textAt(worktree, path) })));
}

function conflictOf(unsolved: UnmergedPath[]): Conflict {
  const files = unsolved.map(({ path }) => displayPath(path)).sort();
  return { kind: "conflict", files, markers: describeConflict(unsolved) };
}

async function unmergedIn(git: GitCalls, worktree: string): Promise<UnmergedPath[]> {
  const byPath = new Map<BytePath, number[]>();
  for (const line of splitPaths(await answerOf(git, worktree, ["ls-files", "--unmerged", "--full-name", "-z"]))) {
    const tab = line.indexOf("\t");
    const path = line.slice(tab + 1);
    byPath.set(path, [...(byPath.get(path) ?? []), Number(line.slice(tab - 1, tab))]);
  }
  return [...byPath].map(([path, stages]) => ({ path, stages, text: textAt(worktree, path) }));
}

/** The merge is computed once more, because nothing but its result tells where git wrote markers. */
async function markedPaths(git: GitCalls, worktree: string, gitDir: string): Promise<Set<BytePath>> {
  const heads = mergeHeads(gitDir);
  // Not a merge of two (a stash that was popped, say): what git wrote where cannot be told.
  if (heads.length !== 1) return new Set();
  const merged = await mergedTree(git, worktree, "HEAD", heads[0]!);
  return merged.kind === "conflict" ? markedByMerge(git, worktree, ["HEAD", merged.tree]) : new Set();
}

/** The commits that a merge under way brings in; none when there is no merge. */
export function mergeHeads(gitDir: string): string[] {
  return attempt(() => readFileSync(join(gitDir, "MERGE_HEAD"), "utf8").split("\n").filter(Boolean), []);
}

function textAt(worktree: string, path: BytePath): string | undefined {
  const file = diskPath(worktree, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > maxTextBytes) return undefined;
  const bytes = readFileSync(file);
  return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString("utf8");
}

import type { GitCalls } from "../../git-calls.ts";
import { runUserGit, printedBy } from "../plumbing/ask.ts";

export type MergedTree =
  | { kind: "clean"; tree: string }
  /** The tree holds the files with their conflict markers. */
  | { kind: "conflict"; tree: string }
  | { kind: "failed"; output: string };

/**
 * Computes a merge without touching anything. Merge drivers of the user's may run, so it is a guarded call; of its
 * answer only the tree's name is read, so that odd letters in file names cannot matter.
 */
export async function mergedTree(git: GitCalls, worktree: string, ours: string, theirs: string): Promise<MergedTree> {
  const end = await runUserGit(git, worktree, ["merge-tree", "--write-tree", "--name-only", ours, theirs]);
  const tree = /^[0-9a-f]{40,64}(?=\n|$)/.exec(end.stdout.toString("latin1"))?.[0];
  if (tree === undefined || end.code > 1) return { kind: "failed", output: printedBy(end) };
  return { kind: end.code === 0 ? "clean" : "conflict", tree };
}

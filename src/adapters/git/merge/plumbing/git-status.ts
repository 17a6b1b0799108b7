import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "./ask.ts";
import { splitPaths, toBytePath, type BytePath } from "./paths.ts";
import type { MergePlace } from "../types.ts";
import { trimEndOf } from "../../../../text/trim.ts";

/** Tells whether a path is a copied file, or below a copied folder. */
export function copiedPathMatcher(copied: string[]): (path: BytePath) => boolean {
  const paths = copied.map((each) => toBytePath(trimEndOf(each, "/")));
  const exactPaths = new Set(paths);
  return (path) => exactPaths.has(path) || paths.some((each) => path.startsWith(`${each}/`));
}

/** A line of `git status`; the state has two letters, for index and worktree. */
export interface StatusLine {
  state: string;
  path: BytePath;
}

/** What differs from the last commit, staged or not; without what only differs inside a submodule. */
export async function uncommittedLines(git: GitCalls, folder: string, untracked: "all" | "no"): Promise<StatusLine[]> {
  const flags = ["--no-renames", `--untracked-files=${untracked}`, "--ignore-submodules=dirty"];
  const output = await answerOf(git, folder, ["status", "--porcelain=v1", "-z", ...flags]);
  return splitPaths(output).map((line) => ({ state: line.slice(0, 2), path: line.slice(3).replace(/\/$/, "") }));
}

/** Whether the path is in conflict. */
export function isUnmerged({ state }: StatusLine): boolean {
  return /U|AA|DD/.test(state);
}

/** What is not committed in the run's worktree, copied files aside. */
export async function uncommittedIn(git: GitCalls, { worktree, copied }: MergePlace): Promise<StatusLine[]> {
  const isCopied = copiedPathMatcher(copied);
  return (await uncommittedLines(git, worktree, "all")).filter((line) => isUnmerged(line) || !isCopied(line.path));
}

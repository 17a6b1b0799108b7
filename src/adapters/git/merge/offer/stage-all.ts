import type { GitCalls, GitResult } from "../../git-calls.ts";
import { runUserGit } from "../plumbing/ask.ts";
import { withPathFile } from "../plumbing/path-file.ts";
import { toBytePath } from "../plumbing/paths.ts";
import { resetEntries, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";
import type { MergePlace } from "../types.ts";
import { copiedPathMatcher } from "../plumbing/git-status.ts";
import { trimEndOf } from "../../../../text/trim.ts";

/** Stages all that differs in the worktree but copied files; copies that a step has staged are unstaged. */
export async function stageAll(git: GitCalls, place: MergePlace, mergeParents: string[]): Promise<GitResult> {
  await unstageCopied(git, place, mergeParents);
  return addAll(git, place);
}

/** Adds all but copied files to the index; `env` may name another index. */
export function addAll(
  git: GitCalls,
  { worktree, copied }: MergePlace,
  options?: { env: Record<string, string> },
): Promise<GitResult> {
  const everything = ":/";
  // Literal, because a file may be called `*` or `:(top)x`.
  const exclusions = copied.map((path) => toBytePath(`:(top,exclude,literal)${trimEndOf(path, "/")}`));
  return withPathFile([everything, ...exclusions], (pathFlags) =>
    runUserGit(git, worktree, ["-c", "core.fsmonitor=false", "add", "--all", ...pathFlags], options),
  );
}

async function unstageCopied(git: GitCalls, { worktree, copied }: MergePlace, mergeParents: string[]): Promise<void> {
  if (copied.length === 0) return;
  const isCopied = copiedPathMatcher(copied);
  const stagedAgainst = async (commit: string): Promise<RawChange[]> =>
    (await stagedChanges(git, worktree, commit)).filter(({ path }) => isCopied(path));
  let staged = await stagedAgainst("HEAD");
  // What a merge brings in is no copy, even under the same name.
  for (const commit of mergeParents) {
    const added = new Set(
      (await stagedAgainst(commit)).filter((change) => change.status === "A").map(({ path }) => path),
    );
    staged = staged.filter(({ path }) => added.has(path));
  }
  if (staged.length === 0) return;
  await resetEntries(git, worktree, staged);
}

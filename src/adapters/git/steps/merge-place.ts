import { existsSync } from "node:fs";
import { join } from "node:path";
import type { StepResult } from "../../../contract/run.ts";
import type { PinnedRun } from "../../../contract/pinned-run.ts";
import type { GitCalls } from "../git-calls.ts";
import { checkoutAt } from "../merge/plumbing/ask.ts";
import type { MergePlace } from "../merge/types.ts";
import type { Repository } from "../repository.ts";
import { runWorktreeEntries } from "../worktrees/run-worktree-entries.ts";
import { failedResult } from "./step-git.ts";

/** A run, and where it works. */
export interface RunPlace {
  runId: string;
  pinned: Pick<PinnedRun, "folder" | "worktree" | "base" | "target">;
}

/** Where a run's work stands and what it goes into, or the failure that keeps it from being merged. */
export async function mergePlace(
  git: GitCalls,
  repository: Repository,
  { runId, pinned }: RunPlace,
): Promise<MergePlace | (StepResult & { error: string })> {
  const { folder, worktree, base, target } = pinned;
  if (!worktree || base === null || target === null) {
    return failedResult("the run has no branch of its own, or none to merge into");
  }
  const entry = (await runWorktreeEntries(git, repository)).find(({ run }) => run === runId);
  if (entry && !entry.isMissing && entry.folder !== folder) {
    return failedResult(`the worktree was moved to ${entry.folder}: git worktree move it back to ${folder}`);
  }
  // Without .git, git would use the repository around the folder.
  if (existsSync(folder) && !existsSync(join(folder, ".git"))) {
    return failedResult(`${folder} has lost its .git file: clew doctor --repair brings it back`);
  }
  if (!existsSync(folder)) {
    return failedResult(`the worktree ${folder} is gone: clew doctor --repair makes it again from ${worktree.branch}`);
  }
  const checkout = await checkoutAt(git, folder);
  if (entry && checkout && checkout.gitDir !== entry.gitFolder) {
    return failedResult(`${folder}/.git names another repository: git -C ${repository.root} worktree repair ${folder}`);
  }
  const { root, commonDir } = repository;
  const copied = entry?.copied ?? [];
  return { worktree: folder, branch: worktree.branch, base, target, root, commonDir, copied, runId };
}

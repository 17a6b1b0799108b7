import type { WorktreePort } from "../../../app/worktree/ports.ts";
import type { GitCalls } from "../git-calls.ts";
import { forgetOffer, offeringRuns } from "../merge/offer/offer-ref.ts";
import type { Repository } from "../repository.ts";
import type { WithLock } from "../locks-of-git.ts";
import { deleteFolder } from "./delete-folder.ts";
import { orphanBranches, removeOrphanBranch } from "./orphan-branches.ts";
import { runWorktreeEntries } from "./run-worktree-entries.ts";
import { commitOf, countAhead, inspectWorktree } from "./inspect-worktree.ts";
import { findRubbish, removeWorktree, sweepRubbish } from "./remove-worktree.ts";

export function gitWorktrees(git: GitCalls, repository: Repository, withLock: WithLock): WorktreePort {
  return {
    list: () => runWorktreeEntries(git, repository),
    look: (worktree) => inspectWorktree(git, repository, worktree),
    leftBranches: () => orphanBranches(git, repository),
    aheadOf: async (branch, start) =>
      countAhead(git, repository.root, start, [await commitOf(git, repository.root, `refs/heads/${branch}`)]),
    removeLeftBranch: (runId, start, isForced) =>
      removeOrphanBranch(git, repository, runId, { withLock, start, isForced }),
    remove: ({ gitFolder, run }, reasonToKeep, isForced) =>
      // Git gives the name of its folder to the next worktree of that place: it must still be the same run's.
      removeWorktree(git, repository, (each) => each.gitFolder === gitFolder && each.run === run, {
        withLock,
        reasonToKeep,
        isForced,
      }),
    rubbish: () => findRubbish(repository),
    removeRubbish: (folder) => deleteFolder(folder),
    async sweep(isOver) {
      await sweepRubbish(repository);
      for (const runId of await offeringRuns(git, repository)) {
        if (isOver(runId)) await forgetOffer(git, { ...repository, runId });
      }
    },
  };
}

import type { RunWorktrees } from "../../../app/run-ports.ts";
import { runBranch } from "../../../contract/worktree.ts";
import type { WorktreeSettings } from "../../../contract/settings.ts";
import type { GitCalls } from "../git-calls.ts";
import { forgetOffer } from "../merge/offer-ref.ts";
import { branchCommit, type Repository } from "../repository.ts";
import type { Exclusively } from "../worktrees/exclusively.ts";
import { removeWorktree } from "../worktrees/remove-worktree.ts";
import { setAside } from "../worktrees/set-aside.ts";
import { worktreeFolder } from "../worktrees/worktree-folder.ts";

interface Parts {
  repository: Repository;
  settings: WorktreeSettings;
  git: GitCalls;
  exclusively: Exclusively;
  warn: (message: string) => void;
}

/** A checkout for each run, and what becomes of it when the run is over. */
export function runWorktrees({ repository, settings, git, exclusively, warn }: Parts): RunWorktrees {
  const { setup, copy, keep_cancelled } = settings;
  /** What was not merged must not be lost, whatever the run came to. */
  const removeMerged = (runId: string): Promise<unknown> =>
    removeWorktree(git, repository, ({ run }) => run === runId, {
      exclusively,
      reasonToKeep: (_, { ahead, changes, underWay, submodules }) => {
        const isClean = ahead === 0 && changes?.length === 0 && underWay === null && submodules.length === 0;
        return isClean ? undefined : "it has work that is not merged";
      },
    });
  const removeAnyway = (runId: string): Promise<unknown> =>
    removeWorktree(git, repository, ({ run }) => run === runId, { exclusively, reasonToKeep: () => undefined });
  return {
    isTaken: (runId) => branchCommit(repository, runBranch(runId)) !== undefined,
    plan: (runId, beadId) => ({
      folder: worktreeFolder(repository.root, beadId),
      worktree: { branch: runBranch(runId), setup, copy, keep_cancelled },
    }),
    async ended(runId, { worktree }, status) {
      try {
        await forgetOffer(git, { commonDir: repository.commonDir, runId });
        if (status === "completed") await removeMerged(runId);
        else if (worktree?.keep_cancelled === false) await removeAnyway(runId);
        else await setAside(git, repository, runId, exclusively);
      } catch (error) {
        warn(`the worktree of run ${runId} could not be put away: ${(error as Error).message}`);
      }
    },
  };
}

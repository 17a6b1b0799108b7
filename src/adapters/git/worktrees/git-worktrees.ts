import type { WorktreePort } from "../../../app/worktree-port.ts";
import type { GitCalls } from "../git-calls.ts";
import { forgetOffer, offeringRuns } from "../merge/offer-ref.ts";
import type { Repository } from "../repository.ts";
import type { Exclusively } from "./exclusively.ts";
import { deleteFolder } from "./delete-folder.ts";
import { listWorktrees } from "./known-worktrees.ts";
import { lookInto } from "./look.ts";
import { findRubbish, removeWorktree, sweepRubbish } from "./remove-worktree.ts";

export function gitWorktrees(git: GitCalls, repository: Repository, exclusively: Exclusively): WorktreePort {
  return {
    list: () => listWorktrees(git, repository),
    look: (worktree) => lookInto(git, repository, worktree),
    remove: ({ gitFolder, run }, reasonToKeep) =>
      // Git gives the name of its folder to the next worktree of that place: it must still be the same run's.
      removeWorktree(git, repository, (each) => each.gitFolder === gitFolder && each.run === run, {
        exclusively,
        reasonToKeep,
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

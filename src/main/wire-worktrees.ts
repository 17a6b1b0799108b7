import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import { withWorktreesLock } from "../adapters/git/locks-of-git.ts";
import { readOnlyGit } from "../adapters/git/unrecorded-git.ts";
import { gitWorktrees } from "../adapters/git/worktrees/git-worktrees.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { paths } from "../adapters/layout.ts";
import { runFolders } from "../adapters/layout/run-paths.ts";
import { runOfWorktree, startOfRun } from "../app/worktree/run-of-worktree.ts";
import type { WorktreeParts } from "../app/worktree/worktrees.ts";
import type { Ground } from "./wire-ground.ts";

/** Puts together what lists and prunes the worktrees of runs. */
export function openWorktrees({ disk, layout, repository, env }: Ground): WorktreeParts {
  const drivers = sqliteHeldLocks(paths.driverLocks(layout));
  const store = runStore({ disk, folders: runFolders(layout.home), drivers });
  return {
    port: gitWorktrees(readOnlyGit(env), repository, withWorktreesLock(layout)),
    runOf: (runId) => runOfWorktree(store, runId),
    startOf: (runId) => startOfRun(store, runId),
  };
}

import type { Disk } from "../adapters/files/disk.ts";
import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { withWorktreesLock } from "../adapters/git/locks-of-git.ts";
import { readOnlyGit } from "../adapters/git/unrecorded-git.ts";
import { gitWorktrees } from "../adapters/git/worktrees/git-worktrees.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { paths, runFolders, type Layout } from "../adapters/layout.ts";
import { runOfWorktree, startOfRun } from "../app/worktree/run-of-worktree.ts";
import { Worktrees } from "../app/worktree/worktrees.ts";

interface WorktreeParts {
  disk: Disk;
  layout: Layout;
  repository: Repository;
  env: Record<string, string | undefined>;
}

/** Puts together what lists and prunes the worktrees of runs. */
export function openWorktrees({ disk, layout, repository, env }: WorktreeParts): Worktrees {
  const store = runStore({
    disk,
    folders: runFolders(layout.home),
    drivers: sqliteHeldLocks(paths.driverLocks(layout)),
  });
  const port = gitWorktrees(readOnlyGit(env), repository, withWorktreesLock(layout));
  return new Worktrees({
    port,
    runOf: (runId) => runOfWorktree(store, runId),
    startOf: (runId) => startOfRun(store, runId),
  });
}

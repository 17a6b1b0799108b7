import type { WorktreesApi } from "../../contract/api/worktree.ts";
import type { Worktrees } from "./worktrees.ts";

export function worktreesApi(worktrees: Worktrees): WorktreesApi {
  return {
    list: (page) => worktrees.list(page),
    prune: ({ dry_run: dryRun }) => worktrees.prune({ dryRun }),
    remove: async ({ worktree, force }) => ({ removed: await worktrees.remove(worktree, { force }) }),
  };
}

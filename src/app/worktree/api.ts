import type { WorktreesApi } from "../../contract/api/worktree.ts";
import { listWorktrees, pruneWorktrees, removeByName, type WorktreeParts } from "./worktrees.ts";

export function worktreesApi(parts: WorktreeParts): WorktreesApi {
  return {
    list: (page) => listWorktrees(parts, page),
    prune: ({ dry_run: dryRun = false }) => pruneWorktrees(parts, { dryRun }),
    remove: async ({ worktree, force = false }) => ({ removed: await removeByName(parts, worktree, { force }) }),
  };
}

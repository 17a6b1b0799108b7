import * as z from "zod/mini";
import { visibleStatuses } from "../run.ts";
import { reads, writes, type ApiOf, type OperationTable } from "./operation.ts";
import { next, page } from "./paging.ts";

const nullable = z.nullable(z.string());

/** A worktree as `clew worktree list` shows it. */
const listedWorktree = z.object({
  path: z.string(),
  branch: nullable,
  run: nullable,
  bead: nullable,
  /** How its run looks; null when there is no such run. */
  status: z.nullable(z.enum(visibleStatuses)),
  /** Commits that neither the target nor the base has; null when git cannot tell. */
  ahead: z.nullable(z.int()),
  /** Whether something in it is not committed. What git ignores does not count, nor do unchanged copies. */
  dirty: z.boolean(),
  /** Whether its run is not over. */
  in_use: z.boolean(),
  /** Why `prune` leaves it; null when it would go. */
  kept_because: nullable,
  /** How a person gets on with one that is kept. */
  what_to_do: nullable,
});
export type ListedWorktree = z.infer<typeof listedWorktree>;

const worktreeList = z.object({ worktrees: z.array(listedWorktree), ...next });
export type WorktreeList = z.infer<typeof worktreeList>;

/** The branch of a run that is over, whose worktree a person removed. */
const prunedBranch = z.object({
  branch: z.string(),
  run: z.string(),
  /** Whether it went, or would go. */
  removed: z.boolean(),
  /** How a person gets on with one that is kept; null when it went. */
  what_to_do: nullable,
});
export type PrunedBranch = z.infer<typeof prunedBranch>;

const prunedWorktrees = z.object({
  dry_run: z.boolean(),
  /** Those that went, or would go. */
  removed: z.array(listedWorktree),
  kept: z.array(listedWorktree),
  branches: z.array(prunedBranch),
});
export type PrunedWorktrees = z.infer<typeof prunedWorktrees>;

const removedWorktree = z.object({
  run: nullable,
  bead: nullable,
  /** Null when only the branch was left. */
  path: nullable,
  /** Null when it stays, or there was none. */
  branch: nullable,
  /** Where the branch was, when commits went with it that are nowhere else. */
  commit: nullable,
});
export type RemovedWorktree = z.infer<typeof removedWorktree>;

export const worktreeOperations = {
  list: {
    ...reads,
    about: "The worktrees of runs, with what is in them and nowhere else.",
    paged: true,
    /** `run`: only that of this run. */
    request: z.strictObject({ ...page, run: z.optional(z.string()) }),
    response: worktreeList,
    errors: [],
  },
  prune: {
    ...writes,
    about: "Removes worktrees that nobody needs and that have nothing which is not elsewhere; tells why others stay.",
    request: z.strictObject({ dry_run: z.optional(z.boolean()) }),
    response: prunedWorktrees,
    errors: ["not_possible_now"],
  },
  remove: {
    ...writes,
    about:
      "Removes the worktree of a run that is over, with its branch: named by run, bead, folder or path. What is nowhere else goes only with `force`.",
    request: z.strictObject({ worktree: z.string(), force: z.optional(z.boolean()) }),
    response: z.object({ removed: removedWorktree }),
    errors: ["not_possible_now"],
  },
} as const satisfies OperationTable;

export type WorktreesApi = ApiOf<typeof worktreeOperations>;

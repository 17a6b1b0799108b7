import * as z from "zod/mini";
import { runIdPattern, type ShownStatus } from "./run.ts";

/** Kept in a worktree's own git folder as `clew.json`, so that it lives and dies with the worktree. */
const noteSchema = z.object({
  version: z.literal(1),
  run: z.string().check(z.regex(runIdPattern)),
  bead: z.string(),
  branch: z.string(),
  /** The commit that it began at. */
  base: z.string(),
  /** The branch that it will be merged into. */
  target: z.nullable(z.string()),
  /** Files that were copied from the main checkout, below the worktree. They never become part of a commit. */
  copied: z.array(z.string()),
  /** Whether everything is in place; before that, nobody has worked in it. */
  ready: z.boolean(),
});

export type WorktreeNote = z.infer<typeof noteSchema>;

export function readWorktreeNote(text: string): WorktreeNote | undefined {
  try {
    return noteSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The branch of a run's worktree. A worktree that lost its note is still known by it. */
export function runBranch(runId: string): string {
  return `clew/${runId}`;
}

export function runOfBranch(branch: string): string | undefined {
  const runId = branch.startsWith("clew/") ? branch.slice("clew/".length) : "";
  return runIdPattern.test(runId) ? runId : undefined;
}

/** A worktree as `clew worktree list` shows it. */
export interface ListedWorktree {
  path: string;
  branch: string | null;
  run: string | null;
  bead: string | null;
  /** How its run looks; null when there is no such run. */
  status: ShownStatus | null;
  /** Commits that neither the target nor the base has; null when git cannot tell. */
  ahead: number | null;
  /** Whether something in it is not committed. What git ignores does not count, nor do copies that nobody changed. */
  dirty: boolean;
  /** Whether its run is not over. */
  in_use: boolean;
  /** Why `prune` leaves it; null when it would go. */
  kept_because: string | null;
  /** How a person gets on with one that is kept. */
  what_to_do: string | null;
}

export interface PrunedWorktrees {
  dry_run: boolean;
  /** Those that went, or would go. */
  removed: ListedWorktree[];
  kept: ListedWorktree[];
}

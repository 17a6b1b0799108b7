import * as z from "zod/mini";
import { runIdPattern } from "./run.ts";
import { attempt } from "../text/attempt.ts";

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
  /** Whether everything is in place; before that, no step has worked in it. */
  ready: z.boolean(),
});

export type WorktreeNote = z.infer<typeof noteSchema>;

export function readWorktreeNote(text: string): WorktreeNote | undefined {
  return attempt(() => noteSchema.parse(JSON.parse(text)), undefined);
}

/** The branch of a run's worktree. A worktree that lost its note is still known by it. */
export function runBranch(runId: string): string {
  return `clew/${runId}`;
}

export function runOfBranch(branch: string): string | undefined {
  const runId = branch.startsWith("clew/") ? branch.slice("clew/".length) : "";
  return runIdPattern.test(runId) ? runId : undefined;
}

/**
 * Git writes the reason of a lock before anything else of a new worktree. So a worktree bears its run's name from its first
 * moment on, and one that still has this lock but no note was never finished.
 */
export interface MakingMark {
  run: string;
  base: string;
}

export function makingReason({ run, base }: MakingMark): string {
  return `clew makes this worktree for run ${run} from ${base}`;
}

export function readMakingMark(lock: string | undefined): MakingMark | undefined {
  const [, run, base] = /^clew makes this worktree for run (\S+) from ([0-9a-f]+)$/.exec(lock ?? "") ?? [];
  return run === undefined || base === undefined ? undefined : { run, base };
}

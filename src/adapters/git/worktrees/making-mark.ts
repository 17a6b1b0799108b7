/**
 * The reason of a new worktree's lock. Git writes it before anything else, so that a worktree names its run from the first
 * moment on. One that still has this lock but no note was never finished.
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

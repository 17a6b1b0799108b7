import { sqliteLocks } from "../files/lock.ts";
import { paths, type Layout } from "../layout.ts";

/** Lets one process at a time make, move or remove worktrees of a repository: git itself does not. */
export type WithLock = <T>(work: () => Promise<T>) => Promise<T>;

/** A large checkout takes its time, and a process may wait for several of them. */
const maxWaitMs = 600_000;

/** One process at a time makes, moves or removes worktrees of this repository. */
export function withWorktreesLock(layout: Layout): WithLock {
  return namedLock(layout, "worktrees", maxWaitMs);
}

/** The same for a run that is over. What cannot be done within this time, `clew worktree prune` does later. */
export function withWorktreesLockSoon(layout: Layout): WithLock {
  return namedLock(layout, "worktrees", 10_000);
}

/** Merges of several runs take turns: one git at a time can work in a checkout. */
export function withLandingLock(layout: Layout): WithLock {
  return namedLock(layout, "landing", maxWaitMs);
}

function namedLock(layout: Layout, name: string, patienceMs: number): WithLock {
  return async (work) => {
    const locks = sqliteLocks(paths.locks(layout), patienceMs);
    try {
      return await locks.with(name, work);
    } finally {
      locks.close();
    }
  };
}

import { sqliteLocks } from "../files/lock.ts";
import { paths, type Layout } from "../layout.ts";
import { worktreesLock, type WithLock } from "./worktrees/with-lock.ts";

/** A large checkout takes its time, and others may wait for several of them. */
const maxWaitMs = 600_000;

/** One at a time over all processes: whoever makes, moves or removes worktrees of this repository. */
export function withWorktreesLock(layout: Layout, patienceMs = maxWaitMs): WithLock {
  return namedLock(layout, worktreesLock, patienceMs);
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

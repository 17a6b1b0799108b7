import { readFileSync, readdirSync } from "node:fs";

export interface NewPids {
  /**
   * Who is in /proc now. The list is read again until nobody new is on it: a process that forks and ends meanwhile would
   * be missed, and its child too. Where processes come faster than that, enough is enough.
   */
  list(): Generator<number>;
  /** This one was there before: it is not listed again. */
  isOlder(pid: number): void;
}

export interface PidSource {
  pids: () => number[];
  /** The pid that was given last; 0 when the system does not tell. */
  lastPid: () => number;
}

/**
 * The pids of processes that may have started after the one with the first pid did; of all, without a first.
 *
 * Linux gives pids in ascending order and begins anew at the end. Until it does, a pid below the first or above the one
 * that was given last is an older process's, and so is one that was found to be older: they need not be read again.
 * /proc/loadavg tells which pid was given last. When that went down, any pid may be a new process's, and all are listed
 * from then on. A whole round between two looks would go unseen: that is more than 30,000 processes, in about a second.
 */
export function newPids(first: number | undefined, { pids, lastPid }: PidSource = proc): NewPids {
  const older = new Set<number>();
  let highest = first ?? Infinity;

  function* list(): Generator<number> {
    // No pid was given since, not even to a process that is just being made.
    if (first !== undefined && highest === first && lastPid() === first) return yield first;
    const listed = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const present = pids();
      // Asked after the list was read, so that it holds for all of the list.
      const last = lastPid();
      highest = last >= highest ? last : Infinity;
      const isRecent = (pid: number): boolean =>
        highest === Infinity || (pid >= first! && pid <= highest && !older.has(pid));
      const fresh = present.filter((pid) => !listed.has(pid) && isRecent(pid));
      if (fresh.length === 0) return;
      for (const pid of fresh) {
        listed.add(pid);
        yield pid;
      }
    }
  }

  return { list, isOlder: (pid) => older.add(pid) };
}

const proc: PidSource = {
  pids: () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : [])),
  lastPid() {
    try {
      return Number(readFileSync("/proc/loadavg", "latin1").trimEnd().split(" ").at(-1)) || 0;
    } catch {
      return 0;
    }
  },
};

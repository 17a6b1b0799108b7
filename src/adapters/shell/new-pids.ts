import { existsSync, readFileSync, readdirSync } from "node:fs";

export interface NewPids {
  /**
   * Who is in /proc now. The list is read again until nobody new is on it: a process that forks and ends meanwhile would
   * be missed, and its child too. Where processes come faster than that, enough is enough. Threads may be among them.
   */
  list(): Generator<number>;
  /** This one was there before: it is not listed again. */
  skip(pid: number): void;
}

export interface PidSource {
  pids: () => number[];
  /** Whether a process, or a thread of one, has this pid. */
  isThere: (pid: number) => boolean;
  /** The pid that was given last; 0 when the system does not tell. */
  lastPid: () => number;
  /** By a clock that never jumps. */
  nowMs: () => number;
}

/** In less time than this no machine gives out all of its pids. */
const roundMs = 2_000;

/** Where no more pids than this were given, asking for each is cheaper than listing all processes. */
const mostTried = 16;

/**
 * The pids of processes that may have started after the one with the first pid did; of all, without a first.
 *
 * Linux gives pids in ascending order and begins anew at the end. Until it does, a pid below the first or above the one
 * that was given last is an older process's, and so is one that was found to be older: they need not be read again.
 * /proc/loadavg tells which pid was given last. When that went down, any pid may be a new process's, and all are listed
 * from then on; who is older is then told by the start of each alone. So too after a look that comes late, because this process
 * was stopped, say: all pids may have been given meanwhile, and the last of them may be any.
 */
export function newPids(first: number | undefined, { pids, isThere, lastPid, nowMs }: PidSource = proc): NewPids {
  const olderPids = new Set<number>();
  let highest = first ?? Infinity;
  let lookedMs = nowMs();

  function* list(): Generator<number> {
    if (nowMs() - lookedMs > roundMs) highest = Infinity;
    lookedMs = nowMs();
    // No pid was given since, not even to a process that is just being made.
    if (first !== undefined && highest === first && lastPid() === first) return yield first;
    const yielded = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const present = tryEach() ?? listAll();
      const isRecent = (pid: number): boolean =>
        highest === Infinity || (pid >= first! && pid <= highest && !olderPids.has(pid));
      const newPresent = present.filter((pid) => !yielded.has(pid) && isRecent(pid));
      if (newPresent.length === 0) return;
      for (const pid of newPresent) {
        yielded.add(pid);
        yield pid;
      }
    }
  }

  function listAll(): number[] {
    const present = pids();
    // Asked after the list was read, so that it holds for all of the list.
    const last = lastPid();
    highest = last >= highest ? last : Infinity;
    return present;
  }

  /** Undefined when too many were given for that, or the pids began anew. */
  function tryEach(): number[] | undefined {
    if (first === undefined) return undefined;
    const present: number[] = [];
    let last = lastPid();
    for (let pid = first; ; pid++) {
      if (last < highest || last - first > mostTried) return undefined;
      highest = last;
      if (isThere(pid)) present.push(pid);
      if (pid < last) continue;
      // Who forked and ended meanwhile left a child above.
      last = lastPid();
      if (pid === last) return present;
    }
  }

  return { list, skip: (pid) => olderPids.add(pid) };
}

const proc: PidSource = {
  nowMs: () => performance.now(),
  pids: () => readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? Number(name) : [])),
  isThere: (pid) => existsSync(`/proc/${pid}`),
  lastPid() {
    try {
      return Number(readFileSync("/proc/loadavg", "utf8").trimEnd().split(" ").at(-1)) || 0;
    } catch {
      return 0;
    }
  },
};

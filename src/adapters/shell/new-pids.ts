import { existsSync, readFileSync, readdirSync } from "node:fs";
import { attempt } from "../../text/attempt.ts";

export interface NewPids {
  /**
   * The pids in /proc now; threads may be among them. Reads /proc again until no new pid is in it: otherwise a process that
   * forks and ends meanwhile would be missed, and its child, too. Gives up after some rounds when processes come faster.
   */
  list(): Generator<number>;
  /** Does not list this pid again: its process is older. */
  skip(pid: number): void;
}

export interface PidSource {
  pids: () => number[];
  /** Whether a process, or a thread of one, has this pid. */
  isThere: (pid: number) => boolean;
  /** The pid that was assigned last; 0 when the system does not say. */
  lastPid: () => number;
  /** By a clock that never jumps. */
  nowMs: () => number;
}

/** No machine assigns all of its pids in less time than this. */
const roundMs = 2_000;

/** Up to this many new pids, asking for each is cheaper than listing all processes. */
const mostTried = 16;

/**
 * The pids of processes that may have started after the one with the first pid did; of all, without a first.
 *
 * Linux assigns pids in ascending order and wraps around at the end. Until then, a pid below the first or above the last
 * assigned one belongs to an older process, and so does one that was skipped: they need not be read again. /proc/loadavg has
 * the last assigned pid. When it went down, any pid may belong to a new process, and all are listed from then on; only the
 * start times then tell which are older. The same holds after a late call, for example when this process was stopped: all
 * pids may have been assigned meanwhile.
 */
export function newPids(first: number | undefined, { pids, isThere, lastPid, nowMs }: PidSource = proc): NewPids {
  const olderPids = new Set<number>();
  let highest = first ?? Infinity;
  let lookedMs = nowMs();

  function* list(): Generator<number> {
    if (nowMs() - lookedMs > roundMs) highest = Infinity;
    lookedMs = nowMs();
    // No pid was assigned since, not even to a process that is just being made.
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
    // Read after the list, so that it holds for all of the list.
    const last = lastPid();
    highest = last >= highest ? last : Infinity;
    return present;
  }

  /** Undefined when too many pids were assigned for that, or the pids wrapped around. */
  function tryEach(): number[] | undefined {
    if (first === undefined) return undefined;
    const present: number[] = [];
    let last = lastPid();
    for (let pid = first; ; pid++) {
      if (last < highest || last - first > mostTried) return undefined;
      highest = last;
      if (isThere(pid)) present.push(pid);
      if (pid < last) continue;
      // A process that forked and ended meanwhile left a child above.
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
    return attempt(() => Number(readFileSync("/proc/loadavg", "utf8").trimEnd().split(" ").at(-1)) || 0, 0);
  },
};

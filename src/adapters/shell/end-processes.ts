import { setTimeout as pause } from "node:timers/promises";
import type { Members } from "./family.ts";

export interface EndOptions {
  /** How long they have to end by themselves after a TERM. */
  graceMs: number;
  /** How long a KILL may take. */
  killTimeoutMs?: number;
  /** Ends the grace at once. */
  kill?: AbortSignal;
}

export interface Ended {
  /** All that were found, and have ended. */
  ended: number[];
  /** Those that outlived a KILL: another user's, or stuck in the kernel. */
  survivors: number[];
}

export const defaultGraceMs = 5_000;

/** How long to wait when only processes remain whose marks cannot be read yet. */
const settleMs = 1_000;

/**
 * Ends all processes that `find` returns, until it has returned none twice: TERM, and KILL after the grace. One list is not
 * enough: when a process forks and ends while the list is read, neither it nor its child may be on it.
 */
export async function endProcesses(find: () => Members, options: EndOptions): Promise<Ended> {
  const { killTimeoutMs = 5_000, kill } = options;
  let { graceMs } = options;
  const begun = performance.now();
  const signalled = new Map<number, string>();
  const result = (survivors: number[]): Ended => ({
    ended: [...signalled.keys()].filter((pid) => !survivors.includes(pid)),
    survivors,
  });
  let lastFoundMs = 0;
  for (let emptyLooks = 0, waitMs = 1; emptyLooks < 2;) {
    const { processes, groups, isUnsettled } = find();
    const passedMs = performance.now() - begun;
    if (kill?.aborted) graceMs = Math.min(graceMs, passedMs);
    if (processes.length === 0 && (!isUnsettled || passedMs - lastFoundMs >= settleMs)) {
      emptyLooks++;
      continue;
    }
    emptyLooks = 0;
    const pids = processes.map(({ pid }) => pid);
    if (pids.length > 0) lastFoundMs = passedMs;
    if (passedMs >= graceMs + killTimeoutMs) return result(pids);
    const newProcesses = processes.filter(({ pid, started }) => signalled.get(pid) !== started);
    for (const { pid, started } of newProcesses) signalled.set(pid, started);
    if (passedMs >= graceMs) {
      // A whole group at once: none of its processes can escape by forking.
      for (const id of groups) send(-id, "SIGKILL");
      for (const pid of pids) send(pid, "SIGKILL");
    } else {
      for (const { pid } of newProcesses) send(pid, "SIGTERM");
      // A stopped process hears a TERM only once it goes on.
      for (const { pid, isStopped } of processes) if (isStopped) send(pid, "SIGCONT");
    }
    // While new processes appear, the next list must come soon to catch those that fork them.
    waitMs = newProcesses.length > 0 ? 2 : Math.min(2 * waitMs, 50);
    await pause(waitMs);
  }
  return result([]);
}

/** A process that has ended, or belongs to another user, shows in the next list. */
function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    return;
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { Members } from "./family.ts";

export interface EndOptions {
  /** How long they have to end by themselves after a TERM. */
  graceMs: number;
  /** How long a KILL may take. */
  killTimeoutMs?: number;
  /** Aborted when they are to be given no more time. */
  kill?: AbortSignal;
}

export interface Ended {
  /** All that were found, and are gone. */
  ended: number[];
  /** Those that outlived a KILL: another user's, or stuck in the kernel. */
  survivors: number[];
}

export const defaultGraceMs = 5_000;

/** How long nobody but processes of which nobody can tell whose they are is waited for. */
const settleMs = 1_000;

/**
 * Ends all that `find` finds, again and again until it has found nothing twice: TERM, and KILL after the grace. One look
 * is not enough: who forks while the list of processes is read may be on it neither by itself nor by its child.
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
      // A whole group at once: none of it can slip away by forking.
      for (const id of groups) send(-id, "SIGKILL");
      for (const pid of pids) send(pid, "SIGKILL");
    } else {
      for (const { pid } of newProcesses) send(pid, "SIGTERM");
      // A stopped process hears a TERM only once it goes on.
      for (const { pid, isStopped } of processes) if (isStopped) send(pid, "SIGCONT");
    }
    // Where new ones keep coming, those that fork them are caught only by looking soon.
    waitMs = newProcesses.length > 0 ? 2 : Math.min(2 * waitMs, 50);
    await pause(waitMs);
  }
  return result([]);
}

/** Who is gone already, or may not be told, shows in the next look. */
function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    return;
  }
}

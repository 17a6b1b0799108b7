import { setTimeout as pause } from "node:timers/promises";
import type { Members } from "./family.ts";

export interface EndOptions {
  /** How long they have to end by themselves after a TERM. */
  graceMs: number;
  /** How long a KILL may take. */
  patienceMs?: number;
}

export interface Ended {
  /** All that were found, and are gone. */
  gone: number[];
  /** Those that outlived a KILL: another user's, or stuck in the kernel. */
  left: number[];
}

export const defaultGraceMs = 5_000;

/** Ends all that `find` finds, again and again until it finds nothing: TERM, and KILL after the grace. */
export async function endProcesses(find: () => Members, options: EndOptions): Promise<Ended> {
  const { graceMs, patienceMs = 5_000 } = options;
  const begun = performance.now();
  const told = new Map<number, string>();
  const result = (left: number[]): Ended => ({ gone: [...told.keys()].filter((pid) => !left.includes(pid)), left });
  for (let waitMs = 2; ; waitMs = Math.min(2 * waitMs, 50)) {
    const { processes, groups } = find();
    const passedMs = performance.now() - begun;
    const pids = processes.map(({ pid }) => pid);
    if (pids.length === 0 || passedMs >= graceMs + patienceMs) return result(pids);
    const fresh = processes.filter(({ pid, started }) => told.get(pid) !== started);
    for (const { pid, started } of fresh) told.set(pid, started);
    if (passedMs >= graceMs) {
      // A whole group at once: none of it can slip away by forking.
      for (const id of groups) send(-id, "SIGKILL");
      for (const pid of pids) send(pid, "SIGKILL");
    } else {
      for (const { pid } of fresh) send(pid, "SIGTERM");
      // A stopped process hears a TERM only once it goes on.
      for (const { pid, stopped } of processes) if (stopped) send(pid, "SIGCONT");
    }
    await pause(waitMs);
  }
}

/** Who is gone already, or may not be told, shows in the next look. */
function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    return;
  }
}

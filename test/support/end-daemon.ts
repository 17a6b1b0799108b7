import { existsSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { continueNow, endNow, processesWith } from "./processes.ts";
import type { Repo } from "./repo.ts";

const patienceMs = 20_000;

/**
 * Stops the daemon of a repository. One that a failed test left stopped, or that does not end, is killed with all that it started: they
 * have `mark` in their environment.
 */
export async function endDaemon(repo: Repo, mark: string): Promise<void> {
  for (const pid of processesWith(mark)) continueNow(pid);
  // A folder that is gone has nothing to stop.
  const end = existsSync(repo.root) ? repo.run(["daemon", "stop"]).then(() => "ended") : "gone";
  if ((await Promise.race([end, pause(patienceMs, "late", { ref: false })])) === "ended") return;
  for (const pid of processesWith(mark)) endNow(pid);
}

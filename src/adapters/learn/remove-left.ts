import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../text/attempt.ts";
import { isRunning } from "../system/is-running.ts";

/** A process of another machine that shares the folder may still write what is younger. */
const abandonedMs = 3_600_000;

/**
 * Removes what killed processes left in a folder: `PREFIX PID-WORD SUFFIX`, where no process has that number and nothing was written for an
 * hour. What cannot be removed stays.
 */
export function removeLeft(folder: string, prefix: string, suffix: string): void {
  for (const name of attempt(() => readdirSync(folder), [])) {
    if (!name.startsWith(prefix) || !name.endsWith(suffix)) continue;
    const pid = /^(\d{1,10})-\w+$/.exec(name.slice(prefix.length, name.length - suffix.length))?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    const path = join(folder, name);
    if (attempt(() => Date.now() - statSync(path).mtimeMs < abandonedMs, true)) continue;
    attempt(() => rmSync(path, { recursive: true, force: true }), undefined);
  }
}

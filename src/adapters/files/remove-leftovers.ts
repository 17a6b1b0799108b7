import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Disk } from "./disk.ts";

/** Nobody takes this long between writing a file aside and renaming it. */
const oldMs = 3_600_000;

/**
 * Removes what writers left beside a file that were killed before they could rename it. Called under the lock of that file;
 * what a process that lives wrote lately stays, because some make the file without the lock when it is missing.
 */
export function removeLeftovers(disk: Disk, path: string): void {
  const folder = dirname(path);
  for (const name of disk.list(folder)) {
    const pid = name.startsWith(`.${basename(path)}.`) ? /\.(\d{1,10})\.new$/.exec(name)?.[1] : undefined;
    if (pid === undefined) continue;
    const file = join(folder, name);
    if (!isAlive(Number(pid)) || isOld(file)) disk.remove(file);
  }
}

function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function isOld(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > oldMs;
}

import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { replacement } from "../layout.ts";
import type { Disk } from "./disk.ts";
import { isRunning } from "../system/is-running.ts";

/** No process takes this long between writing a temporary file and renaming it. */
const oldMs = 3_600_000;

/**
 * Removes temporary files of writers that were killed before they could rename them to `path`. The caller holds the lock of
 * `path`. Recent files of living processes stay, because some make a missing file without the lock.
 */
export function removeLeftovers(disk: Disk, path: string): void {
  const folder = dirname(path);
  for (const name of disk.list(folder)) {
    const leftover = replacement.read(name);
    if (leftover?.name !== basename(path)) continue;
    const file = join(folder, name);
    const isOthers = leftover.pid !== process.pid && isRunning(leftover.pid);
    if (!isOthers || isOld(file)) disk.remove(file);
  }
}

function isOld(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs > oldMs;
}

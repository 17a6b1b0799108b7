import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
const leastBytes = 2 ** 30;

/**
 * Where tests have their throw-away repositories: in memory, where a sync costs nothing, if there is room and programs may be started.
 * Killed processes lose no more there than on a disk. `TMPDIR=/tmp npm test` runs them on the disk, as the random attacks do always.
 */
export function fastFolder() {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize >= leastBytes && canStartPrograms() ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

/** False where it is mounted without that right, as in some containers. */
function canStartPrograms() {
  const folder = mkdtempSync(join(memory, "clew-probe-"));
  try {
    const program = join(folder, "program");
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

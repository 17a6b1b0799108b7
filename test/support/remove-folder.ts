import { rmSync } from "node:fs";
import { pause } from "../../src/adapters/system/timer.ts";

const patienceMs = 20_000;

/**
 * Removes a folder with all that is in it. A program that a test killed may have started another that still writes there for a moment;
 * `rmSync` would only retry to remove the folder itself, and not what came into it.
 */
export function removeFolder(path: string): void {
  const start = performance.now();
  for (;;) {
    try {
      rmSync(path, { recursive: true, force: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOTEMPTY" || performance.now() - start > patienceMs) throw error;
      pause(50);
    }
  }
}

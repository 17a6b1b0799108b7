import type { Disk } from "./disk.ts";
import { withFallback } from "./failure.ts";

/** Whether anything has that path, also what cannot be read: a link to itself, or a file without rights. */
export function pathExists(disk: Disk, path: string): boolean {
  return withFallback(() => disk.stamp(path) !== undefined, true);
}

import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "./disk.ts";

/** Whether anything of that name is there, also what cannot be read: a link to itself, or one without rights. */
export function pathExists(disk: Disk, path: string): boolean {
  try {
    return disk.stamp(path) !== undefined;
  } catch (error) {
    if (error instanceof ClewError) return true;
    throw error;
  }
}

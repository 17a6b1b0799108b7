import { closeSync, constants, fsyncSync, openSync } from "node:fs";

/** The names in a folder are on disk when this returns. */
export function syncFolder(folder: string): void {
  const fd = openSync(folder, constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

import { mkdirSync } from "node:fs";

/** Makes a folder, but none above it: where a repository was deleted or moved away, a daemon leaves nothing behind. */
export function makeFolderIn(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

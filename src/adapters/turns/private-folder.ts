import { closeSync, constants, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { explainErrors } from "../files/failure.ts";

/** Makes a folder that only the user can look into, and those above it. On disk when it returns. */
export function makePrivateFolder(path: string): void {
  explainErrors(path, () => {
    const topmost = mkdirSync(path, { recursive: true, mode: 0o700 });
    if (topmost === undefined) return;
    for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) {
      const fd = openSync(dirname(folder), constants.O_RDONLY | constants.O_DIRECTORY);
      fsyncSync(fd);
      closeSync(fd);
    }
  });
}

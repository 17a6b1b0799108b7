import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { diskPath, parentPaths, type BytePath } from "./paths.ts";

/** Removes a file, or the empty folder of a submodule, and the folders that are empty then. */
export function removePath(folder: string, path: BytePath): void {
  const file = diskPath(folder, path);
  if (lstatSync(file).isDirectory()) rmdirSync(file);
  else unlinkSync(file);
  for (const parent of parentPaths(path)) {
    try {
      rmdirSync(diskPath(folder, parent));
    } catch {
      return;
    }
  }
}

/** Removes whatever stands there, with all that is in it; names need not be UTF-8, and folders need not be writable. */
export function removeTree(folder: string, path: BytePath): void {
  const file = diskPath(folder, path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) {
    if (stats) removePath(folder, path);
    return;
  }
  chmodSync(file, 0o700);
  for (const name of readdirSync(file, { encoding: "latin1" })) removeTree(folder, `${path}/${name}`);
  // The last of its files may have taken it along.
  if (lstatSync(file, { throwIfNoEntry: false })) removePath(folder, path);
}

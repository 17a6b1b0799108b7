import { lstatSync, rmdirSync, unlinkSync } from "node:fs";
import { onDisk, parentsOf, type BytePath } from "./paths.ts";

/** Removes a file, or the empty folder of a submodule, and the folders that are empty then. */
export function removePath(folder: string, path: BytePath): void {
  const file = onDisk(folder, path);
  if (lstatSync(file).isDirectory()) rmdirSync(file);
  else unlinkSync(file);
  for (const parent of parentsOf(path)) {
    try {
      rmdirSync(onDisk(folder, parent));
    } catch {
      return;
    }
  }
}

import { realpathSync } from "node:fs";

/** The path without links; the path itself when it does not exist. */
export function realPath(path: string): string {
  return existingPath(path) ?? path;
}

/** The path without links; undefined when it does not exist, or cannot be followed. */
export function existingPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

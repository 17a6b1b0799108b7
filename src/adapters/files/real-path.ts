import { realpathSync } from "node:fs";
import { attempt } from "../../text/attempt.ts";

/** The path without links; the path itself when it does not exist. */
export function realPath(path: string): string {
  return existingPath(path) ?? path;
}

/** The path without links; undefined when it does not exist, or cannot be followed. */
export function existingPath(path: string): string | undefined {
  return attempt(() => realpathSync(path), undefined);
}

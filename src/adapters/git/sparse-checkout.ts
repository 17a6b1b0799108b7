import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Git } from "./git.ts";

/**
 * Throws when a sparse checkout leaves out one of the files that are about to be made: the next commit would replace what git
 * has in it.
 */
export function refuseSparsePaths(git: Git, root: string, paths: string[]): void {
  const missingPaths = paths.filter((path) => !existsSync(join(root, path)));
  const [path] = missingPaths.length === 0 ? [] : git.skippedPaths(missingPaths);
  if (path === undefined) return;
  throw new ClewError(
    "not_possible_now",
    `git has ${path}, and the sparse checkout of ${root} leaves it out`,
    `git sparse-checkout add ${dirname(path)}, then repeat the command`,
  );
}

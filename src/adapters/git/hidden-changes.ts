import { existsSync } from "node:fs";
import { join } from "node:path";
import type { GitCalls } from "./git-calls.ts";

/** Files of a checkout whose changes git was told not to see; those that a sparse checkout left out are not there. */
export async function hiddenFiles(git: GitCalls, folder: string): Promise<string[]> {
  const { stdout } = await git.plain(folder, ["ls-files", "-v", "-z", "--full-name"]);
  const lines = stdout.toString("utf8").split("\0");
  const hiddenPaths = lines.filter((line) => /^[a-zS] /.test(line)).map((line) => line.slice(2));
  return hiddenPaths.filter((path) => existsSync(join(folder, path)));
}

/** Lets git see them again. Only for a checkout that nobody but a run works in. */
export async function showHidden(git: GitCalls, folder: string, paths: string[]): Promise<void> {
  const stdin = paths.map((path) => `${path}\0`).join("");
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"]) {
    await git.plain(folder, ["update-index", flag, "-z", "--stdin"], { stdin });
  }
}

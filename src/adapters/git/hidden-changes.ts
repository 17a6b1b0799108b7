import { existsSync } from "node:fs";
import { join } from "node:path";
import { splitFields } from "./split-fields.ts";
import type { GitCalls } from "./git-calls.ts";

/** Files of a checkout whose changes git was told not to see. Those that a sparse checkout left out do not count. */
export async function hiddenFiles(git: GitCalls, folder: string): Promise<string[]> {
  const { stdout } = await git.plain(folder, ["ls-files", "-v", "-z", "--full-name"]);
  const paths = splitFields(stdout).flatMap((line) => (/^[a-zS] /.test(line) ? [line.slice(2)] : []));
  return paths.filter((path) => existsSync(join(folder, path)));
}

/** Lets git see all of them again. Only for the worktree of a run: in a user's checkout the flags are the user's. */
export async function unhideFiles(git: GitCalls, folder: string): Promise<void> {
  const stdin = (await hiddenFiles(git, folder)).map((path) => `${path}\0`).join("");
  if (stdin === "") return;
  for (const flag of ["--no-assume-unchanged", "--no-skip-worktree"]) {
    await git.plain(folder, ["update-index", flag, "-z", "--stdin"], { stdin });
  }
}

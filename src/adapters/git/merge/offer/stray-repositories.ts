import type { GitCalls } from "../../git-calls.ts";
import { ask } from "../plumbing/ask.ts";
import { splitPaths, type BytePath } from "../plumbing/paths.ts";
import { gitlinkMode, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";

/**
 * Of the staged changes, repositories that are no submodules, such as one that a step cloned: a commit would hold their name alone, and
 * their content would go with the worktree.
 */
export async function strayRepositories(
  git: GitCalls,
  worktree: string,
  changes: RawChange[],
  mergeParents: string[],
): Promise<BytePath[]> {
  let addedPaths = newGitlinks(changes);
  for (const commit of addedPaths.length > 0 ? mergeParents : []) {
    const gitlinks = newGitlinks(await stagedChanges(git, worktree, commit));
    addedPaths = addedPaths.filter((path) => gitlinks.includes(path));
  }
  if (addedPaths.length === 0) return [];
  const submodules = await submodulePaths(git, worktree);
  return addedPaths.filter((path) => !submodules.has(path));
}

function newGitlinks(changes: RawChange[]): BytePath[] {
  return changes
    .filter(({ old, new: after }) => after.mode === gitlinkMode && old.mode !== gitlinkMode)
    .map(({ path }) => path);
}

/** As the staged `.gitmodules` has them; each answer is a key, a newline and the path. */
async function submodulePaths(git: GitCalls, worktree: string): Promise<Set<BytePath>> {
  const command = ["config", "--blob", ":.gitmodules", "-z", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await ask(git, worktree, command);
  return new Set(splitPaths(stdout).map((line) => line.slice(line.indexOf("\n") + 1)));
}

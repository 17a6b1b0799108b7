import type { GitCalls } from "../../git-calls.ts";
import { ask } from "../plumbing/ask.ts";
import { splitPaths, type BytePath } from "../plumbing/paths.ts";
import { gitlink, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";

/**
 * Of the staged changes, repositories that are no submodules, such as one that a step cloned: a commit would hold their name alone, and
 * their content would go with the worktree.
 */
export async function strayRepositories(
  git: GitCalls,
  worktree: string,
  changes: RawChange[],
  merging: string[],
): Promise<BytePath[]> {
  let added = newLinks(changes);
  for (const commit of added.length > 0 ? merging : []) {
    const links = newLinks(await stagedChanges(git, worktree, commit));
    added = added.filter((path) => links.includes(path));
  }
  if (added.length === 0) return [];
  const known = await submodulePaths(git, worktree);
  return added.filter((path) => !known.has(path));
}

function newLinks(changes: RawChange[]): BytePath[] {
  return changes
    .filter(({ old, new: after }) => after.mode === gitlink && old.mode !== gitlink)
    .map(({ path }) => path);
}

/** As the staged `.gitmodules` has them; each answer is a key, a newline and the path. */
async function submodulePaths(git: GitCalls, worktree: string): Promise<Set<BytePath>> {
  const command = ["config", "--blob", ":.gitmodules", "-z", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await ask(git, worktree, command);
  return new Set(splitPaths(stdout).map((line) => line.slice(line.indexOf("\n") + 1)));
}

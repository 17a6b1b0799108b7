import { existsSync } from "node:fs";
import { join } from "node:path";
import { splitFields } from "../split-fields.ts";
import type { GitCalls } from "../git-calls.ts";
import { gitlinkMode } from "../merge/plumbing/raw-diff.ts";

/** Submodules in submodules are followed this deep. */
const maxDepth = 16;

/**
 * The submodules of a checkout that differ from their own last commit, or have submodules that do, or that git cannot read.
 * Each is asked by itself, so that its own settings are checked first: `git status` above would just go into all of them.
 */
export async function changedSubmodules(
  git: GitCalls,
  folder: string,
  options: string[] = [],
  depth = 0,
): Promise<string[]> {
  const { stdout } = await git.plain(folder, [...options, "ls-files", "--stage", "-z"]);
  const gitlinks = splitFields(stdout).filter((line) => line.startsWith(`${gitlinkMode} `));
  const changed: string[] = [];
  for (const path of new Set(gitlinks.map((line) => line.slice(line.indexOf("\t") + 1)))) {
    if (await isChanged(git, join(folder, path), depth)) changed.push(path);
  }
  return changed;
}

async function isChanged(git: GitCalls, module: string, depth: number): Promise<boolean> {
  // Names that are no text cannot be given to git.
  if (depth === maxDepth || module.includes("\uFFFD")) return true;
  if (!existsSync(join(module, ".git"))) return false;
  // Without it, git would look for a repository further up.
  const gitDir = ["--git-dir=.git"];
  const status = ["status", "--porcelain=v1", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
  const { code, stdout } = await git.plain(module, [...gitDir, ...status], { maxBytes: 1 });
  return code !== 0 || stdout.length > 0 || (await changedSubmodules(git, module, gitDir, depth + 1)).length > 0;
}

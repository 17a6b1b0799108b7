import { existsSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { join, relative } from "node:path";
import type { WorktreeEntry, WorktreeState } from "../../../app/worktree/ports.ts";
import { splitFields } from "../split-fields.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { hiddenFiles } from "../hidden-changes.ts";
import { isMerging, operationInProgress } from "../operation-in-progress.ts";
import { gitFailed } from "./list-worktrees.ts";
import { changedSubmodules } from "./changed-submodules.ts";
import { moduleFolders } from "./move-worktree.ts";

const maxNamedChanges = 20;

/** What a worktree has that would be lost with it. Reads only. */
export async function inspectWorktree(
  git: GitCalls,
  { root }: Repository,
  worktree: WorktreeEntry,
): Promise<WorktreeState> {
  const { gitFolder, folder, branch, head } = worktree;
  const tips = [head, branch === null ? null : await commitOf(git, root, `refs/heads/${branch}`)];
  return {
    ahead: await countAhead(git, root, worktree, tips),
    changes: await changesIn(git, root, worktree),
    underWay: isMerging(gitFolder) ? "a merge" : (operationInProgress(gitFolder) ?? null),
    submodules: worktree.isMissing ? [] : await unpushedSubmodules(git, gitFolder, folder),
  };
}

/** How many commits of `tips` neither the target nor the base has; null when that cannot be told. */
export async function countAhead(
  git: GitCalls,
  root: string,
  { base, target }: Pick<WorktreeEntry, "base" | "target">,
  tips: (string | null)[],
): Promise<number | null> {
  const existingTips = tips.filter((tip) => tip !== null);
  if (existingTips.length === 0) return 0;
  const targetHead = target === null ? null : await commitOf(git, root, `refs/heads/${target}`);
  const others = [base, targetHead].filter((commit) => commit !== null);
  if (others.length === 0) return null;
  const { code, stdout } = await git.plain(root, ["rev-list", "--count", ...existingTips, "--not", ...others, "--"]);
  return code === 0 ? Number(stdout.toString("utf8")) : null;
}

/** Null when there is no such commit. */
export async function commitOf(git: GitCalls, root: string, name: string): Promise<string | null> {
  const query = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
  const { code, stdout, stderr } = await git.plain(root, query);
  if (code < 0) throw gitFailed(stderr);
  return code === 0 ? stdout.toString("utf8").trim() : null;
}

async function changesIn(git: GitCalls, root: string, worktree: WorktreeEntry): Promise<string[] | null> {
  const { folder, copied } = worktree;
  if (worktree.isMissing || worktree.isUnfinished) return [];
  // Git would look at the repository around it instead.
  if (worktree.isBroken) return null;
  const flags = ["--untracked-files=all", "--ignore-submodules=dirty", "--no-renames"];
  const status = ["-c", "core.fsmonitor=false", "status", "--porcelain=v1", "-z", ...flags];
  const { code, stdout } = await git.plain(folder, status);
  if (code !== 0) return null;
  const copies = new Set(copied);
  const isCopy = (path: string): boolean => copies.has(path) && isSame(join(root, path), join(folder, path));
  const lines = splitFields(stdout).filter((line) => !(line.startsWith("?? ") && isCopy(line.slice(3))));
  // Git does not list copies that it ignores; a person who changed one here may want it.
  const changedCopies = copied.filter((path) => existsSync(join(folder, path)) && !isCopy(path));
  const hidden = await changedHidden(git, folder);
  const modules = await changedSubmodules(git, folder);
  return [...new Set([...lines.map((line) => line.slice(3)), ...changedCopies, ...hidden, ...modules])].slice(
    0,
    maxNamedChanges,
  );
}

/** Files that differ from the index though git was told not to look at them. */
async function changedHidden(git: GitCalls, folder: string): Promise<string[]> {
  const hidden = await hiddenFiles(git, folder);
  if (hidden.length === 0) return [];
  const hashing = await git.plain(folder, ["hash-object", "--", ...hidden]);
  const hashes = hashing.stdout.toString("latin1").split("\n");
  const listing = ["--literal-pathspecs", "ls-files", "-s", "-z", "--full-name", "--", ...hidden];
  const staged = splitFields((await git.plain(folder, listing)).stdout);
  const ids = new Map(staged.map((line) => [line.slice(line.indexOf("\t") + 1), line.split(" ")[1]]));
  return hidden.filter((path, at) => ids.get(path) !== hashes[at]);
}

/** Whether a copy is what the main checkout has, so that nothing is lost with it. */
function isSame(source: string, copy: string): boolean {
  try {
    const stats = [lstatSync(source), lstatSync(copy)] as const;
    if (stats.every((each) => each.isSymbolicLink())) return readlinkSync(source) === readlinkSync(copy);
    const mayBeSame = stats.every((each) => each.isFile() && each.size === stats[0].size);
    return mayBeSame && readFileSync(source).equals(readFileSync(copy));
  } catch {
    return false;
  }
}

/** Submodules with commits that no remote has: their repositories are removed with the worktree. */
async function unpushedSubmodules(git: GitCalls, gitFolder: string, folder: string): Promise<string[]> {
  const submodules: string[] = [];
  const query = ["rev-list", "--max-count=1", "--all", "HEAD", "--not", "--remotes", "--"];
  for (const module of moduleFolders(gitFolder)) {
    const { code, stdout } = await git.plain(module, ["--git-dir", module, ...query]);
    if (code !== 0 || stdout.length > 0) submodules.push(join(folder, relative(join(gitFolder, "modules"), module)));
  }
  return submodules;
}

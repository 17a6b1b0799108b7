import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";

/** Where a git repository keeps what Clew needs. Found by reading, because starting git costs more than most commands. */
export interface Repository {
  /** The main checkout, also when called inside a worktree. */
  root: string;
  /** The folder that all worktrees share. */
  commonDir: string;
}

export function findRepository(from: string): Repository {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const dotGit = join(folder, ".git");
    const stats = statSync(dotGit, { throwIfNoEntry: false });
    if (stats?.isDirectory() && isGitDir(dotGit)) return { root: folder, commonDir: dotGit };
    if (stats?.isFile()) return linked(folder, dotGit);
    if (folder === dirname(folder)) break;
  }
  throw new ClewError(
    "not_a_repository",
    `${from} is not inside a git repository`,
    "go to your project, or make one here: git init && clew init",
  );
}

function isGitDir(path: string): boolean {
  return statSync(join(path, "HEAD"), { throwIfNoEntry: false }) !== undefined;
}

/** `.git` is a file in worktrees and submodules: it names the folder, and that names what is shared. */
function linked(folder: string, dotGit: string): Repository {
  const named = readLine(dotGit)?.replace(/^gitdir:\s*/, "");
  if (named === undefined) throw damaged(dotGit);
  const gitDir = resolve(folder, named);
  const common = readLine(join(gitDir, "commondir"));
  if (common === undefined) return { root: folder, commonDir: gitDir };
  const commonDir = isAbsolute(common) ? common : resolve(gitDir, common);
  if (basename(commonDir) === ".git") return { root: dirname(commonDir), commonDir };
  return { root: configuredWorktree(commonDir) ?? folder, commonDir };
}

/** A submodule's git folder stands apart from its checkout and says where that is. */
function configuredWorktree(commonDir: string): string | undefined {
  const config = readFileSync(join(commonDir, "config"), "utf8");
  const worktree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config)?.[1];
  return worktree === undefined ? undefined : resolve(commonDir, worktree);
}

function readLine(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

function damaged(dotGit: string): ClewError {
  return new ClewError("not_a_repository", `${dotGit} does not say where its repository is`, "git status tells more");
}

/** The commit of a branch; undefined when there is none of that name. Starts no process. */
export function branchCommit({ commonDir }: Repository, branch: string): string | undefined {
  const isName = branch !== "" && branch.split("/").every((part) => part !== "" && !/^\.|[\0\\]/.test(part));
  if (!isName) return undefined;
  const commit = readLine(join(commonDir, "refs/heads", branch)) ?? packedRef(commonDir, `refs/heads/${branch}`);
  return commit !== undefined && /^[0-9a-f]{40,64}$/.test(commit) ? commit : undefined;
}

/** The commit that HEAD of the main checkout names; undefined before the first commit. Starts no process. */
export function headCommit({ commonDir }: Repository): string | undefined {
  const head = readLine(join(commonDir, "HEAD"));
  if (head === undefined) return undefined;
  if (!head.startsWith("ref: ")) return head;
  const ref = head.slice(5);
  return readLine(join(commonDir, ref)) ?? packedRef(commonDir, ref);
}

/** The branch that is checked out in the main checkout. */
export function headBranch({ commonDir }: Repository): string | undefined {
  return /^ref: refs\/heads\/(.+)$/.exec(readLine(join(commonDir, "HEAD")) ?? "")?.[1];
}

function packedRef(commonDir: string, ref: string): string | undefined {
  const line = readLine(join(commonDir, "packed-refs"))
    ?.split("\n")
    .find((each) => each.endsWith(` ${ref}`));
  return line?.split(" ")[0];
}

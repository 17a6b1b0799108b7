import { lstatSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import { ifPossible, ifPresent, withFallback } from "../../files/failure.ts";
import { readRegular } from "../../files/regular-file.ts";
import { nodeDisk } from "../../files/node-disk.ts";
import type { GitCalls, GitResult } from "../git-calls.ts";
import { isHalfMadeError } from "../retry-half-made-worktree.ts";
import { readMakingMark } from "./making-mark.ts";

/** A living git has written the file by then. */
const abandonedMs = 2_000;

/** A checkout in git's own list: the main one first, then the linked ones. */
export interface ListedCheckout {
  folder: string;
  head: string | undefined;
  /** Without `refs/heads/`. */
  branch: string | undefined;
}

/** Git's own list. What a killed git left half made for a run does not keep it from answering. */
export async function listCheckouts(
  git: GitCalls,
  { folder, commonDir, flags = [] }: { folder: string; commonDir: string; flags?: string[] },
): Promise<ListedCheckout[]> {
  const list = (): Promise<GitResult> => git.plain(folder, [...flags, "worktree", "list", "--porcelain", "-z"]);
  finishAbandoned(commonDir);
  let result = await list();
  if (result.code !== 0 && isHalfMadeError(result.stderr)) {
    // Git was waited for until now: the file may count as abandoned since.
    finishAbandoned(commonDir);
    result = await list();
  }
  if (result.code !== 0) throw gitFailed(result.stderr);
  return readList(result.stdout.toString("utf8"));
}

function readList(output: string): ListedCheckout[] {
  const checkouts: ListedCheckout[] = [];
  for (const line of output.split("\0")) {
    const value = line.slice(line.indexOf(" ") + 1);
    if (line.startsWith("worktree ")) checkouts.push({ folder: value, head: undefined, branch: undefined });
    const current = checkouts.at(-1);
    if (!current) continue;
    if (line.startsWith("HEAD ") && !/^0+$/.test(value)) current.head = value;
    if (line.startsWith("branch refs/heads/")) current.branch = value.slice("refs/heads/".length);
  }
  return checkouts;
}

/** What git keeps of each linked worktree, as it stands in its files. */
export interface LinkedGitFolder {
  gitFolder: string;
  /** Where git records the worktree to be; undefined when git was killed before it wrote that. */
  recordedFolder: string | undefined;
}

export function linkedGitFolders(commonDir: string): LinkedGitFolder[] {
  const folder = join(commonDir, "worktrees");
  const names = ifPresent(() => readdirSync(folder).sort()) ?? [];
  if (names.length === 0) return [];
  const realFolder = join(realpathSync(commonDir), "worktrees");
  return names.map((name) => {
    const gitFolder = join(realFolder, name);
    const gitdir = ifPresent(() => readRegular(join(gitFolder, "gitdir")).toString("utf8").trimEnd());
    // Newer versions of git can write it relative to this folder.
    return { gitFolder, recordedFolder: gitdir ? dirname(resolve(gitFolder, gitdir)) : undefined };
  });
}

/**
 * Writes what a killed git had begun to write for a worktree of a run: git dies of the empty file. Such a worktree has no
 * note, and is removed like any other that was never finished. Those of other programs stay as they are. Where nothing can be
 * written, git's own words are the answer.
 */
function finishAbandoned(commonDir: string): void {
  const folder = join(commonDir, "worktrees");
  for (const name of nodeDisk.list(folder)) {
    const file = join(folder, name, "commondir");
    const stats = lstatSync(file, { throwIfNoEntry: false });
    const isAbandoned = stats?.isFile() && stats.size === 0 && Date.now() - stats.mtimeMs > abandonedMs;
    if (isAbandoned && isOfRun(join(folder, name))) ifPossible(() => writeFileSync(file, "../..\n"));
  }
}

function isOfRun(gitFolder: string): boolean {
  const lock = withFallback(() => nodeDisk.read(join(gitFolder, "locked")), undefined);
  return readMakingMark(lock?.toString("utf8").trimEnd()) !== undefined;
}

export function gitFailed(stderr: string): ClewError {
  const hint = isHalfMadeError(stderr)
    ? "a git that was killed left a worktree half made: git worktree prune removes it"
    : "git status in this folder tells more";
  return new ClewError("not_available", `git does not answer: ${stderr.trim()}`, hint);
}

import { lstatSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import { ifPossible, withFallback } from "../../files/failure.ts";
import { nodeDisk } from "../../files/node-disk.ts";
import type { GitCalls, GitResult } from "../git-calls.ts";
import { isHalfMadeError } from "../half-made-worktree.ts";
import { readMakingMark } from "./making-mark.ts";

/** A living git has written the file by then. */
const abandonedMs = 2_000;

/** Git's own list, in its porcelain form. What a killed git left half made for a run does not keep it from answering. */
export async function gitWorktreeList(
  git: GitCalls,
  { folder, commonDir, flags = [] }: { folder: string; commonDir: string; flags?: string[] },
): Promise<GitResult> {
  const list = (): Promise<GitResult> => git.plain(folder, [...flags, "worktree", "list", "--porcelain", "-z"]);
  finishAbandoned(commonDir);
  const result = await list();
  if (result.code === 0 || !isHalfMadeError(result.stderr)) return result;
  // Git was waited for until now: the file may count as abandoned since.
  finishAbandoned(commonDir);
  return list();
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

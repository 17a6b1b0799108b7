import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainErrors } from "../../../files/failure.ts";
import type { GitCalls } from "../../git-calls.ts";
import { ask, checkoutAt, objectIdIn, runUserGit } from "../plumbing/ask.ts";
import { addAll } from "./stage-all.ts";
import type { MergePlace } from "../types.ts";

/**
 * The tree that a commit of all that stands in the worktree would have, copied files aside. Undefined when git cannot tell.
 * Writes objects, and an index of its own: what is staged in the worktree stays as it is.
 */
export async function worktreeTree(git: GitCalls, place: MergePlace): Promise<string | undefined> {
  const checkout = await checkoutAt(git, place.worktree);
  if (checkout === undefined) return undefined;
  const folder = explainErrors(tmpdir(), () => mkdtempSync(join(tmpdir(), "clew-index-")));
  try {
    const index = join(folder, "index");
    // With a copy of the worktree's index, git reads only files that changed.
    const worktreeIndex = join(checkout.gitDir, "index");
    if (existsSync(worktreeIndex)) explainErrors(index, () => copyIndex(worktreeIndex, index));
    const env = { GIT_INDEX_FILE: index };
    if ((await addAll(git, place, { env })).code !== 0) return undefined;
    return objectIdIn(await runUserGit(git, place.worktree, ["write-tree"], { env }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Git takes a file for unchanged when size and time are as its index says, unless the file is as new as the index itself: then it reads
 * it. So the copy is no newer than the index: a file that was changed in the same second would be taken for what it was.
 */
function copyIndex(from: string, to: string): void {
  const { mtimeMs } = statSync(from);
  copyFileSync(from, to);
  const second = Math.floor(mtimeMs / 1000);
  utimesSync(to, second, second);
}

/**
 * Whether the files in the worktree may differ from what git would commit: a filter changes files on their way, a sparse
 * checkout leaves some out, or git was told not to look. Then a command that succeeded there proves nothing about the tree.
 */
export async function mayDiffer(git: GitCalls, { worktree }: MergePlace): Promise<boolean> {
  const names = String.raw`^(filter\..*\.(clean|process)|core\.sparsecheckout)$`;
  const { stdout } = await ask(git, worktree, ["config", "-z", "--get-regexp", names]);
  const values = stdout
    .toString("utf8")
    .split("\0")
    .map((entry) => entry.slice(entry.indexOf("\n") + 1));
  return values.some((value) => value !== "" && value !== "false") || (await hidesChanges(git, worktree));
}

/** Whether git was told to take files for unchanged, or for left out: what was done to them it does not see. */
async function hidesChanges(git: GitCalls, worktree: string): Promise<boolean> {
  const { stdout } = await ask(git, worktree, ["ls-files", "-v", "-z"]);
  return /(?:^|\0)[a-zS] /.test(stdout.toString("latin1"));
}

import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
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
    if (existsSync(worktreeIndex)) explainErrors(index, () => copyFileSync(worktreeIndex, index));
    const env = { GIT_INDEX_FILE: index };
    if ((await addAll(git, place, { env })).code !== 0) return undefined;
    return objectIdIn(await runUserGit(git, place.worktree, ["write-tree"], { env }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Whether the files in the worktree may differ from what git would commit: a filter changes files on their way, a sparse
 * checkout leaves some out. Then a command that succeeded there proves nothing about the tree.
 */
export async function mayDiffer(git: GitCalls, { worktree }: MergePlace): Promise<boolean> {
  const names = String.raw`^(filter\..*\.(clean|process)|core\.sparsecheckout)$`;
  const { stdout } = await ask(git, worktree, ["config", "--get-regexp", names]);
  return / (?!false$)\S/m.test(stdout.toString("utf8"));
}

import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { branchRef, checkoutAt, printedBy, runUserGit, tipCommit } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";

/**
 * Moves the run's branch to the squashed commit that landed, so that it counts as merged and the next merge of the run
 * does not begin at its old base. A branch with newer commits stays, and so does any other branch that a person checked out
 * in the worktree. Returns why git could not do it.
 */
export async function followSquash(
  git: GitCalls,
  { worktree, commonDir, branch }: MergePlace,
  { head, commit }: MergeOffer,
): Promise<string | undefined> {
  if ((await tipCommit(git, commonDir, branch)) !== head) return undefined;
  const isCheckedOut = (await checkoutAt(git, worktree))?.branch === branchRef(branch);
  const result = isCheckedOut
    ? await runUserGit(git, worktree, ["reset", "--quiet", "--keep", commit])
    : await runUserGit(git, worktree, ["update-ref", branchRef(branch), commit, head]);
  return result.code === 0
    ? undefined
    : `${branch} could not be moved to what has landed, and stays: ${printedBy(result)}`;
}

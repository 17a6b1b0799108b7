import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { branchRef, checkoutAt, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import type { MergePlace } from "../types.ts";

/**
 * What was squashed is in the target, but its commits are not: the run's branch goes on from what landed, so that it counts as
 * merged, and the next merge of the run does not begin at its old base. A branch with newer commits stays as it is; so does
 * any other branch that a person checked out in the worktree. Gives why it could not be done.
 */
export async function followSquash(
  git: GitCalls,
  { worktree, commonDir, branch }: MergePlace,
  { head, commit }: MergeOffer,
): Promise<string | undefined> {
  if ((await tipsOf(git, commonDir, [branch])).get(branch)?.commit !== head) return undefined;
  const isCheckedOut = (await checkoutAt(git, worktree))?.branch === branchRef(branch);
  const result = isCheckedOut
    ? await run(git, worktree, ["reset", "--quiet", "--keep", commit])
    : await run(git, worktree, ["update-ref", branchRef(branch), commit, head]);
  return result.code === 0
    ? undefined
    : `${branch} could not be moved to what has landed, and stays: ${outputOf(result)}`;
}

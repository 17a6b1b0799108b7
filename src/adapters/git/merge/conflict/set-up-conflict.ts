import type { GitCalls } from "../../git-calls.ts";
import { checkoutAt, runUserGit, printedBy } from "../plumbing/ask.ts";
import { withoutMergeOptions } from "../plumbing/merge-options.ts";
import { refusedMerge, type MergePlace, type MergeRefusal } from "../types.ts";
import { isMerging } from "../../operation-in-progress.ts";

/**
 * Merges the target into the run's branch, in its worktree, up to where git needs a person. Returns undefined when a merge
 * is under way then. It may end without a conflict, because it honours settings that the computed merge does not.
 */
export async function setUpConflict(
  git: GitCalls,
  { worktree, branch, target }: MergePlace,
  targetHead: string,
): Promise<MergeRefusal | undefined> {
  const { args, env } = withoutMergeOptions(branch);
  const flags = ["--no-commit", "--no-ff", "--no-squash", "--no-autostash", "--no-verify-signatures", "--no-stat"];
  // Without rerere git stages no earlier solution: a person sees the conflict first.
  const merge = ["merge", "--strategy=ort", ...flags, "--no-rerere-autoupdate", targetHead];
  const result = await runUserGit(git, worktree, [...args, ...merge], { env });
  const checkout = await checkoutAt(git, worktree);
  if (checkout !== undefined && isMerging(checkout.gitDir)) return undefined;
  return refusedMerge(`${target} cannot be merged into ${branch} in ${worktree}`, printedBy(result));
}

import type { GitCalls } from "../../git-calls.ts";
import { checkoutAt, run, outputOf } from "../plumbing/ask.ts";
import { withoutMergeOptions } from "../plumbing/merge-options.ts";
import { mergeRefusal, type MergePlace, type MergeRefusal } from "../types.ts";
import { isMerging } from "../../unfinished.ts";

/**
 * Merges the target into the run's branch, in its worktree, up to where git needs a person; undefined when it did. It may
 * also find nothing to ask, since it honours settings that the computed merge does not know.
 */
export async function setUpConflict(
  git: GitCalls,
  { worktree, branch, target }: MergePlace,
  targetHead: string,
): Promise<MergeRefusal | undefined> {
  const mergeOptions = withoutMergeOptions(branch);
  const flags = ["--no-commit", "--no-ff", "--no-squash", "--no-autostash", "--no-verify-signatures", "--no-stat"];
  const result = await run(
    git,
    worktree,
    // Not staged by what git remembers of earlier conflicts: a person sees it first.
    [...mergeOptions.args, "merge", "--strategy=ort", ...flags, "--no-rerere-autoupdate", targetHead],
    { env: mergeOptions.env },
  );
  const checkout = await checkoutAt(git, worktree);
  if (checkout !== undefined && isMerging(checkout.gitDir)) return undefined;
  return mergeRefusal(`${target} cannot be merged into ${branch} in ${worktree}`, outputOf(result));
}

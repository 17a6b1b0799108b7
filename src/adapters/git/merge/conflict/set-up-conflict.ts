import type { GitCalls } from "../../git-calls.ts";
import { checkoutAt, run, outputOf } from "../plumbing/ask.ts";
import { withoutMergeOptions } from "../plumbing/merge-options.ts";
import { refused, type MergePlace, type Refused } from "../types.ts";
import { isMerging } from "../../unfinished.ts";

/**
 * Merges the target into the run's branch, in its worktree, up to where git needs a person; undefined when it did. It may
 * also find nothing to ask, since it honours settings that the computed merge does not know.
 */
export async function setUpConflict(
  git: GitCalls,
  { worktree, branch, target }: MergePlace,
  targetHead: string,
): Promise<Refused | undefined> {
  const none = withoutMergeOptions(branch);
  const how = ["--no-commit", "--no-ff", "--no-squash", "--no-autostash", "--no-verify-signatures", "--no-stat"];
  const end = await run(
    git,
    worktree,
    // Not staged by what git remembers of earlier conflicts: a person sees it first.
    [...none.args, "merge", "--strategy=ort", ...how, "--no-rerere-autoupdate", targetHead],
    { env: none.env },
  );
  const at = await checkoutAt(git, worktree);
  if (at !== undefined && isMerging(at.gitDir)) return undefined;
  return refused(`${target} cannot be merged into ${branch} in ${worktree}`, outputOf(end));
}

import type { MergeOffer } from "../../../contract/run.ts";
import type { GitCalls } from "../git-calls.ts";
import { askRepository, branchRef, checkoutAt, tipsOf } from "./ask.ts";
import { shown } from "./paths.ts";
import type { MergePlace } from "./types.ts";
import { isMerging } from "../unfinished.ts";
import { uncommittedIn } from "./uncommitted.ts";

/** What is no longer as it was offered, in words; undefined when all is. */
export async function whatMoved(git: GitCalls, place: MergePlace, offer: MergeOffer): Promise<string | undefined> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  if (tips.get(branch)?.commit !== offer.head) return `${branch} has moved since the offer`;
  if (tips.get(target)?.commit !== offer.target_head) return `${target} has moved since the offer`;
  if (!(await isAsOffered(git, commonDir, offer))) return "the offered commit is gone, or is not what was offered";
  const at = await checkoutAt(git, worktree);
  if (at === undefined) return `${worktree} is gone`;
  if (at.branch !== branchRef(branch) || isMerging(at.gitDir)) {
    return `${worktree} is not on ${branch} as it was offered`;
  }
  const [first, ...more] = await uncommittedIn(git, place);
  if (first === undefined) return undefined;
  const others = more.length > 0 ? ` and ${more.length} more` : "";
  return `${shown(first.path)}${others} changed in ${worktree} since the offer`;
}

/** The commit is what an approval was given for: this tree, on these parents. */
async function isAsOffered(git: GitCalls, commonDir: string, offer: MergeOffer): Promise<boolean> {
  const { commit, tree, target_head, head, parents = [target_head, head] } = offer;
  const { stdout } = await askRepository(git, commonDir, [
    "log",
    "-1",
    "--no-show-signature",
    "--format=%T %P",
    commit,
    "--",
  ]);
  return stdout.toString("latin1").trim() === [tree, ...parents].join(" ");
}

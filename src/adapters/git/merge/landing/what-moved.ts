import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { askRepository, branchRef, checkoutAt, tipsOf } from "../plumbing/ask.ts";
import { displayPath, splitPaths, type BytePath } from "../plumbing/paths.ts";
import { listFirst } from "../../../../text/list-first.ts";
import type { MergePlace } from "../types.ts";
import { isMerging } from "../../operation-in-progress.ts";
import { uncommittedIn } from "../plumbing/git-status.ts";

/** Says what is no longer as it was offered, with the files that changed since; undefined when nothing moved. */
export async function whatMoved(git: GitCalls, place: MergePlace, offer: MergeOffer): Promise<string | undefined> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  const reasons: string[] = [];
  const offeredTips = [
    [branch, offer.head],
    [target, offer.target_head],
  ] as const;
  for (const [name, from] of offeredTips) {
    const to = tips.get(name)?.commit;
    if (to !== from) reasons.push(`${name} has moved since the offer${await filesBetween(git, commonDir, from, to)}`);
  }
  const isIntact = await isAsOffered(git, commonDir, offer);
  if (!isIntact) reasons.push("the offered commit is gone, or is not what was offered");
  const checkout = await checkoutAt(git, worktree);
  if (checkout === undefined) reasons.push(`${worktree} is gone`);
  else if (checkout.branch !== branchRef(branch) || isMerging(checkout.gitDir)) {
    reasons.push(`${worktree} is not on ${branch} as it was offered`);
  } else {
    const paths = (await uncommittedIn(git, place)).map(({ path }) => path);
    if (paths.length > 0) reasons.push(`${listPaths(paths)} changed in ${worktree} since the offer`);
  }
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** The paths in which two commits differ, for a person; empty when git cannot tell. */
async function filesBetween(git: GitCalls, commonDir: string, from: string, to: string | undefined): Promise<string> {
  if (to === undefined) return ": it is gone";
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", from, to, "--"];
  const { code, stdout } = await askRepository(git, commonDir, args);
  const paths = splitPaths(stdout);
  return code !== 0 || paths.length === 0 ? "" : ` (${listPaths(paths)})`;
}

const listPaths = (paths: BytePath[]): string => listFirst(paths.map(displayPath), 5);

/** Whether the commit is the one that was approved: this tree, on these parents. */
async function isAsOffered(git: GitCalls, commonDir: string, offer: MergeOffer): Promise<boolean> {
  const { commit, tree, target_head, head, parents = [target_head, head] } = offer;
  const query = ["log", "-1", "--no-show-signature", "--format=%T %P", commit, "--"];
  const { stdout } = await askRepository(git, commonDir, query);
  return stdout.toString("latin1").trim() === [tree, ...parents].join(" ");
}

import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { askRepository, branchRef, checkoutAt, tipsOf } from "../plumbing/ask.ts";
import { displayPath, type BytePath } from "../plumbing/paths.ts";
import type { MergePlace } from "../types.ts";
import { isMerging } from "../../unfinished.ts";
import { uncommittedIn } from "../plumbing/uncommitted.ts";

/** All that is no longer as it was offered, in words, with the files that changed since; undefined when nothing is. */
export async function whatMoved(git: GitCalls, place: MergePlace, offer: MergeOffer): Promise<string | undefined> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  const reasons: string[] = [];
  for (const [name, offeredCommit] of [
    [branch, offer.head],
    [target, offer.target_head],
  ] as const) {
    const currentCommit = tips.get(name)?.commit;
    if (currentCommit !== offeredCommit)
      reasons.push(
        `${name} has moved since the offer${await filesBetween(git, commonDir, offeredCommit, currentCommit)}`,
      );
  }
  if (!(await isAsOffered(git, commonDir, offer)))
    reasons.push("the offered commit is gone, or is not what was offered");
  const checkout = await checkoutAt(git, worktree);
  if (checkout === undefined) reasons.push(`${worktree} is gone`);
  else if (checkout.branch !== branchRef(branch) || isMerging(checkout.gitDir)) {
    reasons.push(`${worktree} is not on ${branch} as it was offered`);
  } else {
    const uncommitted = await uncommittedIn(git, place);
    if (uncommitted.length > 0)
      reasons.push(`${named(uncommitted.map(({ path }) => path))} changed in ${worktree} since the offer`);
  }
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** What two commits have differently, for a reader; nothing when git cannot tell. */
async function filesBetween(
  git: GitCalls,
  commonDir: string,
  offeredCommit: string,
  currentCommit: string | undefined,
): Promise<string> {
  if (currentCommit === undefined) return ": it is gone";
  const args = [
    "diff-tree",
    "-r",
    "-z",
    "--name-only",
    "--no-renames",
    "--no-ext-diff",
    offeredCommit,
    currentCommit,
    "--",
  ];
  const { code, stdout } = await askRepository(git, commonDir, args);
  const paths = stdout.toString("latin1").split("\0").filter(Boolean);
  return code !== 0 || paths.length === 0 ? "" : ` (${named(paths)})`;
}

const mostNamed = 5;

function named(paths: BytePath[]): string {
  const more = paths.length - mostNamed;
  return `${paths.slice(0, mostNamed).map(displayPath).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
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

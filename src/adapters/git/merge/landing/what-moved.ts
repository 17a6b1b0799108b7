import type { MergeOffer } from "../../../../contract/merge-offer.ts";
import type { GitCalls } from "../../git-calls.ts";
import { askRepository, branchRef, checkoutAt, tipsOf } from "../plumbing/ask.ts";
import { shown, type BytePath } from "../plumbing/paths.ts";
import type { MergePlace } from "../types.ts";
import { isMerging } from "../../unfinished.ts";
import { uncommittedIn } from "../plumbing/uncommitted.ts";

/** All that is no longer as it was offered, in words, with the files that changed since; undefined when nothing is. */
export async function whatMoved(git: GitCalls, place: MergePlace, offer: MergeOffer): Promise<string | undefined> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  const reasons: string[] = [];
  for (const [name, from] of [
    [branch, offer.head],
    [target, offer.target_head],
  ] as const) {
    const to = tips.get(name)?.commit;
    if (to !== from) reasons.push(`${name} has moved since the offer${await filesBetween(git, commonDir, from, to)}`);
  }
  if (!(await isAsOffered(git, commonDir, offer)))
    reasons.push("the offered commit is gone, or is not what was offered");
  const at = await checkoutAt(git, worktree);
  if (at === undefined) reasons.push(`${worktree} is gone`);
  else if (at.branch !== branchRef(branch) || isMerging(at.gitDir)) {
    reasons.push(`${worktree} is not on ${branch} as it was offered`);
  } else {
    const changed = await uncommittedIn(git, place);
    if (changed.length > 0)
      reasons.push(`${named(changed.map(({ path }) => path))} changed in ${worktree} since the offer`);
  }
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** What two commits have differently, for a reader; nothing when git cannot tell. */
async function filesBetween(git: GitCalls, commonDir: string, from: string, to: string | undefined): Promise<string> {
  if (to === undefined) return ": it is gone";
  const args = ["diff-tree", "-r", "-z", "--name-only", "--no-renames", "--no-ext-diff", from, to, "--"];
  const { code, stdout } = await askRepository(git, commonDir, args);
  const paths = stdout.toString("latin1").split("\0").filter(Boolean);
  return code !== 0 || paths.length === 0 ? "" : ` (${named(paths)})`;
}

const mostNamed = 5;

function named(paths: BytePath[]): string {
  const more = paths.length - mostNamed;
  return `${paths.slice(0, mostNamed).map(shown).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
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

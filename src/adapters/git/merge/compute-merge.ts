import type { GitCalls, GitEnd } from "../git-calls.ts";
import { ask, askRepository, isWithin, run, tipsOf, wordsOf } from "./ask.ts";
import { cutDiff } from "./diff.ts";
import { whyNoIdentity } from "./identity.ts";
import { mergedTree } from "./merged-tree.ts";
import { describeChanges } from "./offer.ts";
import { offerRef } from "./offer-ref.ts";
import { refused, type MergePlace, type Prepared, type Refused } from "./types.ts";

/** The merge as it would land, or the target's head with which the branch is in conflict. */
export type Computed = Exclude<Prepared, { kind: "conflict" }> | { kind: "conflicts_with"; targetHead: string };

/** Computes the merge of two commits; the only things it writes are objects and the ref that keeps them. */
export async function computeMerge(git: GitCalls, place: MergePlace, message: string): Promise<Computed> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  const [head, targetHead] = [tips.get(branch)?.commit, tips.get(target)?.commit];
  if (head === undefined) return refused(`there is no branch ${branch} any more`);
  if (targetHead === undefined) {
    return refused(`there is no branch ${target} to merge into: make it again (git branch ${target} …), then retry`);
  }
  if (await isWithin(git, commonDir, head, targetHead)) return { kind: "nothing" };
  const wouldReturn = await whatWouldReturn(git, place, head, targetHead);
  if (wouldReturn) return wouldReturn;

  const merged = await mergedTree(git, worktree, targetHead, head);
  if (merged.kind === "failed") return refused(`${branch} cannot be merged into ${target}`, merged.output);
  if (merged.kind === "conflict") return { kind: "conflicts_with", targetHead };
  const { tree } = merged;
  if (tree === tips.get(target)?.tree) return { kind: "nothing" };

  const commit = await commitMerge(git, place, { tree, parents: [targetHead, head], message });
  if (typeof commit !== "string") return commit;
  const changes = await describeChanges(git, commonDir, targetHead, tree);
  const offer = { target, head, target_head: targetHead, tree, commit, ...changes };
  return { kind: "offer", offer, diff: await cutDiff(git, commonDir, targetHead, tree) };
}

/** Somebody moved the target back: merging what started from there would bring back what was taken out of it. */
async function whatWouldReturn(
  git: GitCalls,
  { commonDir, worktree, base, target }: MergePlace,
  head: string,
  targetHead: string,
): Promise<Refused | undefined> {
  const isIntact = (await isWithin(git, commonDir, base, targetHead)) || !(await isWithin(git, commonDir, base, head));
  if (isIntact) return undefined;
  const asked = ["log", "--oneline", "--max-count=20", base, "--not", targetHead, "--"];
  const commits = (await askRepository(git, commonDir, asked)).stdout.toString("utf8").trimEnd();
  return refused(
    `${target} was moved back since the run started, and the merge would bring back what was taken out of it: ` +
      `git rebase --onto ${target} ${base.slice(0, 12)} in ${worktree}, then retry`,
    commits,
  );
}

interface MergeCommit {
  tree: string;
  parents: string[];
  message: string;
}

/** Makes the commit, signed if the user signs commits, and the ref that keeps it. */
async function commitMerge(
  git: GitCalls,
  { worktree, runId }: MergePlace,
  { tree, parents, message }: MergeCommit,
): Promise<string | Refused> {
  const sign = (await signsCommits(git, worktree)) ? ["-S"] : [];
  const after = parents.flatMap((parent) => ["-p", parent]);
  const made: GitEnd = await run(git, worktree, ["commit-tree", ...sign, ...after, "-m", message, tree]);
  const commit = /^[0-9a-f]{40,64}$/m.exec(made.stdout.toString("latin1"))?.[0];
  if (made.code !== 0 || commit === undefined) {
    return (await whyNoIdentity(git, worktree)) ?? refused("the merge commit could not be made", wordsOf(made));
  }
  const kept = await run(git, worktree, ["update-ref", offerRef(runId), commit]);
  return kept.code === 0 ? commit : refused(`the merge commit could not be kept as ${offerRef(runId)}`, wordsOf(kept));
}

/** `commit-tree` does not look at the setting by itself. */
async function signsCommits(git: GitCalls, worktree: string): Promise<boolean> {
  const { stdout } = await ask(git, worktree, ["config", "--type=bool", "--get", "commit.gpgSign"]);
  return stdout.toString("latin1").trim() === "true";
}

import { join } from "node:path";
import type { GitCalls, GitEnd } from "../../git-calls.ts";
import { ask, askRepository, isWithin, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import { cutDiff } from "./diff.ts";
import { whyNoIdentity } from "../plumbing/identity.ts";
import { removeStaleLocks } from "../plumbing/locks.ts";
import { mergedTree } from "./merged-tree.ts";
import { describeChanges } from "./describe-changes.ts";
import { offerRef } from "./offer-ref.ts";
import { refused, type MergePlace, type Prepared, type Refused, type MergeMessages } from "../types.ts";

/** The merge as it would land, or the target's head with which the branch is in conflict. */
export type Computed = Exclude<Prepared, { kind: "conflict" }> | { kind: "conflicts_with"; targetHead: string };

/** Computes the merge of two commits; the only things it writes are objects and the ref that keeps them. */
export async function computeMerge(git: GitCalls, place: MergePlace, words: MergeMessages): Promise<Computed> {
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

  const { strategy } = words;
  const isSquash = strategy === "squash";
  const parents = isSquash ? [targetHead] : [targetHead, head];
  const commit = await commitMerge(git, place, { tree, parents, message: isSquash ? words.commit : words.merge });
  if (typeof commit !== "string") return commit;
  // Should somebody delete the branch, nothing else would keep what is squashed.
  const both = { tree, parents: [targetHead, head, commit], message: words.merge };
  const keeper = isSquash ? commitIn(await commitTree(git, worktree, both, [])) : commit;
  const unkept = await keep(git, place, keeper ?? commit);
  if (unkept) return unkept;
  const changes = await describeChanges(git, commonDir, targetHead, tree);
  const offer = { target, head, target_head: targetHead, tree, commit, strategy, parents, ...changes };
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

/** Makes the commit, signed if the user signs commits. */
async function commitMerge(git: GitCalls, { worktree }: MergePlace, merge: MergeCommit): Promise<string | Refused> {
  const sign = (await signsCommits(git, worktree)) ? ["-S"] : [];
  const made = await commitTree(git, worktree, merge, sign);
  const commit = commitIn(made);
  if (commit !== undefined) return commit;
  return (await whyNoIdentity(git, worktree)) ?? refused("the merge commit could not be made", outputOf(made));
}

function commitTree(
  git: GitCalls,
  worktree: string,
  { tree, parents, message }: MergeCommit,
  sign: string[],
): Promise<GitEnd> {
  const after = parents.flatMap((parent) => ["-p", parent]);
  return run(git, worktree, ["commit-tree", ...sign, ...after, "-m", message, tree]);
}

function commitIn({ code, stdout }: GitEnd): string | undefined {
  return code === 0 ? /^[0-9a-f]{40,64}$/m.exec(stdout.toString("latin1"))?.[0] : undefined;
}

/** Keeps what is offered from being collected. */
async function keep(git: GitCalls, place: MergePlace, commit: string): Promise<Refused | undefined> {
  const { worktree, commonDir, runId } = place;
  await removeStaleLocks([join(commonDir, `${offerRef(runId)}.lock`)]);
  const kept = await run(git, worktree, ["update-ref", offerRef(runId), commit]);
  if (kept.code === 0) return undefined;
  return refused(`the merge commit could not be kept as ${offerRef(runId)}`, outputOf(kept));
}

/** `commit-tree` does not look at the setting by itself. */
async function signsCommits(git: GitCalls, worktree: string): Promise<boolean> {
  const { stdout } = await ask(git, worktree, ["config", "--type=bool", "--get", "commit.gpgSign"]);
  return stdout.toString("latin1").trim() === "true";
}

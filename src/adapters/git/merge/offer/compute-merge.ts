import { join } from "node:path";
import type { GitCalls, GitResult } from "../../git-calls.ts";
import { ask, askRepository, isAncestor, objectIdIn, printedBy, runUserGit, tipsOf } from "../plumbing/ask.ts";
import { cutDiff } from "./diff.ts";
import { whyNoIdentity } from "../plumbing/identity.ts";
import { removeStaleLocks } from "../plumbing/locks.ts";
import { mergedTree } from "./merged-tree.ts";
import { describeChanges } from "./describe-changes.ts";
import { offerRef } from "./offer-ref.ts";
import { refusedMerge, type MergePlace, type PreparedMerge, type MergeRefusal, type MergeMessages } from "../types.ts";

/** The merge as it would land, or the target's head with which the branch is in conflict. */
export type ComputedMerge =
  | Exclude<PreparedMerge, { kind: "conflict" }>
  | { kind: "conflicts_with"; targetHead: string };

/** Computes the merge of two commits; the only things it writes are objects and the ref that keeps them. */
export async function computeMerge(git: GitCalls, place: MergePlace, messages: MergeMessages): Promise<ComputedMerge> {
  const { worktree, commonDir, branch, target } = place;
  const tips = await tipsOf(git, commonDir, [branch, target]);
  const [head, targetHead] = [tips.get(branch)?.commit, tips.get(target)?.commit];
  if (head === undefined) return refusedMerge(`there is no branch ${branch} any more`);
  if (targetHead === undefined) {
    return refusedMerge(
      `there is no branch ${target} to merge into: make it again (git branch ${target} …), then retry`,
    );
  }
  if (await isAncestor(git, commonDir, head, targetHead)) return { kind: "nothing" };
  const moveBackRefusal = await refuseMovedBack(git, place, head, targetHead);
  if (moveBackRefusal) return moveBackRefusal;

  const merged = await mergedTree(git, worktree, targetHead, head);
  if (merged.kind === "failed") return refusedMerge(`${branch} cannot be merged into ${target}`, merged.output);
  if (merged.kind === "conflict") return { kind: "conflicts_with", targetHead };
  const { tree } = merged;
  if (tree === tips.get(target)?.tree) return { kind: "nothing" };

  const { strategy } = messages;
  const isSquash = strategy === "squash";
  const parents = isSquash ? [targetHead] : [targetHead, head];
  const commit = await commitMerge(git, place, { tree, parents, message: isSquash ? messages.commit : messages.merge });
  if (typeof commit !== "string") return commit;
  // When a user deletes the branch, only this commit keeps what was squashed.
  const keeper = { tree, parents: [targetHead, head, commit], message: messages.merge };
  const keptCommit = isSquash ? objectIdIn(await commitTree(git, worktree, keeper, [])) : commit;
  const keepRefusal = await keepOffer(git, place, keptCommit ?? commit);
  if (keepRefusal) return keepRefusal;
  const changes = await describeChanges(git, commonDir, targetHead, tree);
  const offer = { target, head, target_head: targetHead, tree, commit, strategy, parents, ...changes };
  return { kind: "offer", offer, diff: await cutDiff(git, commonDir, targetHead, tree) };
}

/** Refuses when the target was moved back to before the base: the merge would bring back what was taken out of it. */
async function refuseMovedBack(
  git: GitCalls,
  { commonDir, worktree, base, target }: MergePlace,
  head: string,
  targetHead: string,
): Promise<MergeRefusal | undefined> {
  const isWithin = (tip: string): Promise<boolean> => isAncestor(git, commonDir, base, tip);
  if ((await isWithin(targetHead)) || !(await isWithin(head))) return undefined;
  const query = ["log", "--oneline", "--max-count=20", base, "--not", targetHead, "--"];
  const commits = (await askRepository(git, commonDir, query)).stdout.toString("utf8").trimEnd();
  return refusedMerge(
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
async function commitMerge(
  git: GitCalls,
  { worktree }: MergePlace,
  merge: MergeCommit,
): Promise<string | MergeRefusal> {
  // `commit-tree` does not look at the setting by itself.
  const { stdout } = await ask(git, worktree, ["config", "--type=bool", "--get", "commit.gpgSign"]);
  const isSigned = stdout.toString("latin1").trim() === "true";
  const result = await commitTree(git, worktree, merge, isSigned ? ["-S"] : []);
  const commit = objectIdIn(result);
  if (commit !== undefined) return commit;
  return (await whyNoIdentity(git, worktree)) ?? refusedMerge("the merge commit could not be made", printedBy(result));
}

function commitTree(
  git: GitCalls,
  worktree: string,
  { tree, parents, message }: MergeCommit,
  sign: string[],
): Promise<GitResult> {
  const parentFlags = parents.flatMap((parent) => ["-p", parent]);
  return runUserGit(git, worktree, ["commit-tree", ...sign, ...parentFlags, "-m", message, tree]);
}

/** Keeps what is offered from being garbage-collected. */
async function keepOffer(git: GitCalls, place: MergePlace, commit: string): Promise<MergeRefusal | undefined> {
  const { worktree, commonDir, runId } = place;
  await removeStaleLocks([join(commonDir, `${offerRef(runId)}.lock`)]);
  const result = await runUserGit(git, worktree, ["update-ref", offerRef(runId), commit]);
  if (result.code === 0) return undefined;
  return refusedMerge(`the merge commit could not be kept as ${offerRef(runId)}`, printedBy(result));
}

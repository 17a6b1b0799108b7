import type { GitCalls } from "../../git-calls.ts";
import { unhideFiles } from "../../hidden-changes.ts";
import {
  askRepository,
  branchRef,
  checkoutAt,
  printedBy,
  runUserGit,
  tipCommit,
  type CheckoutHead,
} from "../plumbing/ask.ts";
import { whyNoIdentity } from "../plumbing/identity.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { stagedMarkers } from "../conflict/markers.ts";
import { offerRef } from "./offer-ref.ts";
import { displayPath } from "../plumbing/paths.ts";
import { stagedChanges } from "../plumbing/raw-diff.ts";
import { stageAll } from "./stage-all.ts";
import { strayRepositories } from "./stray-repositories.ts";
import { refusedMerge, type Conflict, type MergePlace, type MergeRefusal } from "../types.ts";
import { operationInProgress } from "../../operation-in-progress.ts";
import { isUnmerged, uncommittedIn } from "../plumbing/git-status.ts";
import { mergeHeads, stagedConflict, unsolvedConflict } from "../conflict/find-conflict.ts";

/** Formatters that run as hooks change files after they were staged, and these are committed too: so many times. */
const maxCommits = 3;

/**
 * Commits what steps, or a person who solved a conflict, left in the worktree, with the repository's hooks. Returns
 * undefined when all is committed. What it refuses stays in the worktree, staged at most.
 */
export async function commitLeftovers(
  git: GitCalls,
  place: MergePlace,
  message: string,
): Promise<MergeRefusal | Conflict | undefined> {
  const checkout = await checkoutAt(git, place.worktree);
  if (checkout === undefined) return whyNoCheckout(git, place);
  const { gitDir } = checkout;
  const obstacle = whyNotCommittable(place, checkout);
  if (obstacle) return obstacle;
  // A step that was ended in the middle of a commit leaves locks, and no process of the run lives any more.
  await removeStaleLocks([...checkoutLocks(gitDir), branchLock(place.commonDir, place.branch)]);
  await unhideFiles(git, place.worktree);
  for (let commits = 0; ; commits++) {
    const mergeParents = mergeHeads(gitDir);
    const uncommitted = await uncommittedIn(git, place);
    if (mergeParents.length === 0 && uncommitted.length === 0) return undefined;
    const conflict = uncommitted.some(isUnmerged) && (await unsolvedConflict(git, place.worktree, gitDir));
    if (conflict) return conflict;
    if (commits === maxCommits) {
      return refusedMerge(`hooks change files at every commit in ${place.worktree}: commit there yourself, then retry`);
    }
    const outcome = await commitAll(git, place, mergeParents, message);
    if (outcome !== "committed") return outcome === "nothing" ? undefined : outcome;
  }
}

async function whyNoCheckout(git: GitCalls, { worktree, commonDir, branch, runId }: MergePlace): Promise<MergeRefusal> {
  const query = ["rev-parse", "--verify", "--quiet", `${offerRef(runId)}^2`];
  const offeredHead = (await askRepository(git, commonDir, query)).stdout.toString("latin1").trim();
  const hasBranch = (await tipCommit(git, commonDir, branch)) !== undefined;
  if (hasBranch) return refusedMerge(`there is no worktree of this repository at ${worktree}`);
  const command = `git branch ${branch} ${offeredHead || "COMMIT"}`;
  return refusedMerge(`the branch ${branch} is gone: make it again (${command}), then retry`);
}

function whyNotCommittable({ worktree, branch }: MergePlace, checkout: CheckoutHead): MergeRefusal | undefined {
  const unfinished = operationInProgress(checkout.gitDir);
  if (unfinished !== undefined) {
    return refusedMerge(`${unfinished} is not finished in ${worktree}: finish or abort it there, then retry`);
  }
  if (checkout.branch === branchRef(branch)) return undefined;
  const checkedOutBranch = checkout.branch === "HEAD" ? "no branch" : checkout.branch.replace("refs/heads/", "");
  return refusedMerge(
    `${worktree} has ${checkedOutBranch} checked out instead of ${branch}: bring its commits onto ${branch} ` +
      `(git switch ${branch}, then git merge or git cherry-pick), then retry`,
  );
}

/** Stages and commits. `mergeParents` are the commits that a merge under way brings in. */
async function commitAll(
  git: GitCalls,
  place: MergePlace,
  mergeParents: string[],
  message: string,
): Promise<MergeRefusal | Conflict | "committed" | "nothing"> {
  const { worktree } = place;
  const staging = await stageAll(git, place, mergeParents);
  if (staging.code !== 0)
    return refusedMerge(`what the steps left in ${worktree} cannot be staged`, printedBy(staging));
  const changes = await stagedChanges(git, worktree, "HEAD");
  if (changes.length === 0 && mergeParents.length === 0) return "nothing";

  const markedPaths = await stagedMarkers(git, worktree, ["HEAD", ...mergeParents]);
  if (markedPaths.length > 0) return refuseMarkers(worktree, markedPaths, mergeParents);
  const strays = await strayRepositories(git, worktree, changes, mergeParents);
  if (strays.length > 0) {
    const folders = strays.map(displayPath).join(", ");
    return refusedMerge(
      `repositories of their own stand in ${worktree}: remove, ignore or git submodule add ${folders}`,
    );
  }

  const result = await runUserGit(git, worktree, ["commit", "--cleanup=whitespace", `--message=${message}`]);
  if (result.code === 0) return "committed";
  const failure = `git commit failed in ${worktree}: what the steps left there is staged`;
  return (await whyNoIdentity(git, worktree)) ?? refusedMerge(failure, printedBy(result));
}

function refuseMarkers(worktree: string, markedPaths: string[], mergeParents: string[]): MergeRefusal | Conflict {
  if (mergeParents.length > 0) return stagedConflict(worktree, markedPaths);
  const files = markedPaths.map(displayPath).join(", ");
  return refusedMerge(
    `conflict markers stand in ${files}: decide what stays there in ${worktree}, then retry; if they belong there, ` +
      "commit the file there yourself",
  );
}

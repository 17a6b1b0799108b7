import type { GitCalls } from "../../git-calls.ts";
import { hiddenFiles, showHidden } from "../../hidden-changes.ts";
import { askRepository, branchRef, checkoutAt, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import { whyNoIdentity } from "../plumbing/identity.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { stagedMarkers } from "../conflict/markers.ts";
import { offerRef } from "./offer-ref.ts";
import { displayPath } from "../plumbing/paths.ts";
import { stagedChanges } from "../plumbing/raw-diff.ts";
import { stageAll } from "./stage-all.ts";
import { strayRepositories } from "./stray-repositories.ts";
import { mergeRefusal, type Conflict, type MergePlace, type MergeRefusal } from "../types.ts";
import { unfinishedIn } from "../../unfinished.ts";
import { isUnmerged, uncommittedIn } from "../plumbing/uncommitted.ts";
import { mergeHeads, stagedConflict, unsolvedConflict } from "../conflict/unsolved.ts";

/** Formatters that run as hooks change files after they were staged; one that never stops is refused. */
const maxCommits = 3;

/**
 * Commits what steps, or a person who solved a conflict, left in the worktree, with the repository's hooks. Resolves to
 * undefined when nothing is left; what it refuses stays there, staged at most.
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
  // A step that was ended in the middle of a commit leaves them, and nothing of the run's lives any more.
  await removeStaleLocks([...checkoutLocks(gitDir), branchLock(place.commonDir, place.branch)]);
  const hiddenPaths = await hiddenFiles(git, place.worktree);
  if (hiddenPaths.length > 0) await showHidden(git, place.worktree, hiddenPaths);
  for (let commits = 0; ; commits++) {
    const mergeParents = mergeHeads(gitDir);
    const uncommitted = await uncommittedIn(git, place);
    if (mergeParents.length === 0 && uncommitted.length === 0) return undefined;
    const conflict = uncommitted.some(isUnmerged) && (await unsolvedConflict(git, place.worktree, gitDir));
    if (conflict) return conflict;
    if (commits === maxCommits) {
      return mergeRefusal(`hooks change files at every commit in ${place.worktree}: commit there yourself, then retry`);
    }
    const outcome = await commitAll(git, place, { mergeParents, message });
    if (outcome !== "committed") return outcome === "nothing" ? undefined : outcome;
  }
}

async function whyNoCheckout(git: GitCalls, { worktree, commonDir, branch, runId }: MergePlace): Promise<MergeRefusal> {
  const query = ["rev-parse", "--verify", "--quiet", `${offerRef(runId)}^2`];
  const offeredHead = (await askRepository(git, commonDir, query)).stdout.toString("latin1").trim();
  const isGone = !(await tipsOf(git, commonDir, [branch])).has(branch);
  if (!isGone) return mergeRefusal(`there is no worktree of this repository at ${worktree}`);
  const command = offeredHead === "" ? `git branch ${branch} COMMIT` : `git branch ${branch} ${offeredHead}`;
  return mergeRefusal(`the branch ${branch} is gone: make it again (${command}), then retry`);
}

function whyNotCommittable(
  { worktree, branch }: MergePlace,
  checkout: { gitDir: string; branch: string },
): MergeRefusal | undefined {
  const unfinished = unfinishedIn(checkout.gitDir);
  if (unfinished !== undefined) {
    return mergeRefusal(`${unfinished} is not finished in ${worktree}: finish or abort it there, then retry`);
  }
  if (checkout.branch === branchRef(branch)) return undefined;
  const checkedOutBranch = checkout.branch === "HEAD" ? "no branch" : checkout.branch.replace("refs/heads/", "");
  return mergeRefusal(
    `${worktree} has ${checkedOutBranch} checked out instead of ${branch}: bring its commits onto ${branch} ` +
      `(git switch ${branch}, then git merge or git cherry-pick), then retry`,
  );
}

interface Commit {
  /** What a merge under way brings in. */
  mergeParents: string[];
  message: string;
}

async function commitAll(
  git: GitCalls,
  place: MergePlace,
  { mergeParents, message }: Commit,
): Promise<MergeRefusal | Conflict | "committed" | "nothing"> {
  const { worktree } = place;
  const stageResult = await stageAll(git, place, mergeParents);
  if (stageResult.code !== 0)
    return mergeRefusal(`what the steps left in ${worktree} cannot be staged`, outputOf(stageResult));
  const changes = await stagedChanges(git, worktree, "HEAD");
  if (changes.length === 0 && mergeParents.length === 0) return "nothing";

  const parents = ["HEAD", ...mergeParents];
  const markedPaths = await stagedMarkers(git, worktree, parents);
  if (markedPaths.length > 0) return refuseMarkers(worktree, markedPaths, mergeParents);
  const strays = await strayRepositories(git, worktree, changes, mergeParents);
  if (strays.length > 0) {
    const folders = strays.map(displayPath).join(", ");
    return mergeRefusal(
      `repositories of their own stand in ${worktree}: remove, ignore or git submodule add ${folders}`,
    );
  }

  const commitResult = await run(git, worktree, ["commit", "--cleanup=whitespace", `--message=${message}`]);
  if (commitResult.code === 0) return "committed";
  const commitRefusal = mergeRefusal(
    `git commit failed in ${worktree}: what the steps left there is staged`,
    outputOf(commitResult),
  );
  return (await whyNoIdentity(git, worktree)) ?? commitRefusal;
}

function refuseMarkers(worktree: string, markedPaths: string[], mergeParents: string[]): MergeRefusal | Conflict {
  if (mergeParents.length > 0) return stagedConflict(worktree, markedPaths);
  const files = markedPaths.map(displayPath).join(", ");
  return mergeRefusal(
    `conflict markers stand in ${files}: decide what stays there in ${worktree}, then retry; if they belong there, ` +
      "commit the file there yourself",
  );
}

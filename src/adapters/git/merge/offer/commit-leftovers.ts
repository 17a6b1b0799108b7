import type { GitCalls } from "../../git-calls.ts";
import { hiddenFiles, showHidden } from "../../hidden-changes.ts";
import { askRepository, branchRef, checkoutAt, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import { whyNoIdentity } from "../plumbing/identity.ts";
import { branchLock, checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { stagedMarkers } from "../conflict/markers.ts";
import { offerRef } from "./offer-ref.ts";
import { shown } from "../plumbing/paths.ts";
import { stagedChanges } from "../plumbing/raw-diff.ts";
import { stageAll } from "./stage-all.ts";
import { strayRepositories } from "./stray-repositories.ts";
import { refused, type Conflict, type MergePlace, type Refused } from "../types.ts";
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
): Promise<Refused | Conflict | undefined> {
  const at = await checkoutAt(git, place.worktree);
  if (at === undefined) return whyNoCheckout(git, place);
  const { gitDir } = at;
  const obstacle = whyNotCommittable(place, at);
  if (obstacle) return obstacle;
  // A step that was ended in the middle of a commit leaves them, and nothing of the run's lives any more.
  await removeStaleLocks([...checkoutLocks(gitDir), branchLock(place.commonDir, place.branch)]);
  const hidden = await hiddenFiles(git, place.worktree);
  if (hidden.length > 0) await showHidden(git, place.worktree, hidden);
  for (let commits = 0; ; commits++) {
    const merging = mergeHeads(gitDir);
    const left = await uncommittedIn(git, place);
    if (merging.length === 0 && left.length === 0) return undefined;
    const conflict = left.some(isUnmerged) && (await unsolvedConflict(git, place.worktree, gitDir));
    if (conflict) return conflict;
    if (commits === maxCommits) {
      return refused(`hooks change files at every commit in ${place.worktree}: commit there yourself, then retry`);
    }
    const result = await commitAll(git, place, { merging, message });
    if (result !== "committed") return result === "nothing" ? undefined : result;
  }
}

async function whyNoCheckout(git: GitCalls, { worktree, commonDir, branch, runId }: MergePlace): Promise<Refused> {
  const asked = ["rev-parse", "--verify", "--quiet", `${offerRef(runId)}^2`];
  const offered = (await askRepository(git, commonDir, asked)).stdout.toString("latin1").trim();
  const isGone = !(await tipsOf(git, commonDir, [branch])).has(branch);
  if (!isGone) return refused(`there is no worktree of this repository at ${worktree}`);
  const way = offered === "" ? `git branch ${branch} COMMIT` : `git branch ${branch} ${offered}`;
  return refused(`the branch ${branch} is gone: make it again (${way}), then retry`);
}

function whyNotCommittable(
  { worktree, branch }: MergePlace,
  at: { gitDir: string; branch: string },
): Refused | undefined {
  const unfinished = unfinishedIn(at.gitDir);
  if (unfinished !== undefined) {
    return refused(`${unfinished} is not finished in ${worktree}: finish or abort it there, then retry`);
  }
  if (at.branch === branchRef(branch)) return undefined;
  const instead = at.branch === "HEAD" ? "no branch" : at.branch.replace("refs/heads/", "");
  return refused(
    `${worktree} has ${instead} checked out instead of ${branch}: bring its commits onto ${branch} ` +
      `(git switch ${branch}, then git merge or git cherry-pick), then retry`,
  );
}

interface Commit {
  /** What a merge under way brings in. */
  merging: string[];
  message: string;
}

async function commitAll(
  git: GitCalls,
  place: MergePlace,
  { merging, message }: Commit,
): Promise<Refused | Conflict | "committed" | "nothing"> {
  const { worktree } = place;
  const staged = await stageAll(git, place, merging);
  if (staged.code !== 0) return refused(`what the steps left in ${worktree} cannot be staged`, outputOf(staged));
  const changes = await stagedChanges(git, worktree, "HEAD");
  if (changes.length === 0 && merging.length === 0) return "nothing";

  const parents = ["HEAD", ...merging];
  const marked = await stagedMarkers(git, worktree, parents);
  if (marked.length > 0) return stillMarked(worktree, marked, merging);
  const strays = await strayRepositories(git, worktree, changes, merging);
  if (strays.length > 0) {
    const folders = strays.map(shown).join(", ");
    return refused(`repositories of their own stand in ${worktree}: remove, ignore or git submodule add ${folders}`);
  }

  const end = await run(git, worktree, ["commit", "--cleanup=whitespace", `--message=${message}`]);
  if (end.code === 0) return "committed";
  const failed = refused(`git commit failed in ${worktree}: what the steps left there is staged`, outputOf(end));
  return (await whyNoIdentity(git, worktree)) ?? failed;
}

function stillMarked(worktree: string, marked: string[], merging: string[]): Refused | Conflict {
  if (merging.length > 0) return stagedConflict(worktree, marked);
  const files = marked.map(shown).join(", ");
  return refused(
    `conflict markers stand in ${files}: decide what stays there in ${worktree}, then retry; if they belong there, ` +
      "commit the file there yourself",
  );
}

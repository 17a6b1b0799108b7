import { lstatSync } from "node:fs";
import { join } from "node:path";
import { ClewError } from "../../../contract/errors.ts";
import type { Verification } from "../../../contract/run.ts";
import type { GitCalls } from "../git-calls.ts";
import { deleteFolder } from "../worktrees/delete-folder.ts";
import { answerOf, ask, branchRef, checkoutAt, run, tipsOf, wordsOf } from "./ask.ts";
import { checkoutLocks, removeStaleLocks } from "./locks.ts";
import { onDisk, shown, splitPaths, type BytePath } from "./paths.ts";
import { removePath } from "./remove-path.ts";
import type { MergePlace } from "./types.ts";
import { uncommittedIn } from "./uncommitted.ts";

/** What git ignores in a worktree, folders as one; those that were there before stay. */
export async function ignoredIn(git: GitCalls, worktree: string): Promise<Set<BytePath>> {
  const asked = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  return new Set(splitPaths(await answerOf(git, worktree, asked)));
}

/**
 * Checks the merged commit out in the run's worktree, whose branch must have nothing uncommitted. Success is where HEAD
 * points. Gives why it could not be. What git ignores is not written over.
 */
export async function checkOutMerged(
  git: GitCalls,
  { worktree }: MergePlace,
  commit: string,
): Promise<string | undefined> {
  const end = await run(git, worktree, ["checkout", "--quiet", "--no-overwrite-ignore", "--detach", commit]);
  if ((await headOf(git, worktree)) === commit && (await checkoutAt(git, worktree))?.branch === "HEAD")
    return undefined;
  return wordsOf(end) || "git checkout failed";
}

/**
 * Puts the run's branch back into its worktree: after a verification, and after one that was cut off anywhere. All else that
 * stands there is what the command left, and goes; so do ignored files, where it is known which were there `before`. Gives
 * what was removed. Throws a ClewError when git cannot do it; then it has to be tried again.
 */
export async function putBranchBack(
  git: GitCalls,
  place: MergePlace,
  verification: Verification,
  before?: ReadonlySet<BytePath>,
): Promise<string[]> {
  const { worktree, commonDir } = place;
  const { branch, head } = verification;
  const at = await checkoutAt(git, worktree);
  if (at === undefined) return [];
  await removeStaleLocks(checkoutLocks(at.gitDir));
  // Git writes HEAD last: with the branch still there, all that differs is half of git's own checkout.
  const changed = at.branch === branchRef(branch) ? [] : await changedSince(git, place, verification.commit);
  const tip = (await tipsOf(git, commonDir, [branch])).get(branch)?.commit;
  const end = await run(git, worktree, ["checkout", "--quiet", "--force", "-B", branch, head, "--"]);
  if ((await checkoutAt(git, worktree))?.branch !== branchRef(branch)) {
    const message = `${branch} could not be put back into ${worktree}: ${wordsOf(end)}`;
    throw new ClewError("not_possible_now", message, "git status there tells more; a retry tries it again");
  }
  const left = (await uncommittedIn(git, place)).map(({ path }) => path);
  const ignored = before ? [...(await ignoredIn(git, worktree))].filter((path) => !before.has(path)) : [];
  for (const path of [...left, ...ignored]) await remove(worktree, path.replace(/\/$/, ""));
  const moved = tip === head || tip === undefined ? [] : [`commit ${tip.slice(0, 12)} on ${branch}`];
  return [...new Set([...changed, ...ignored].map((path) => shown(path)))].sort().concat(moved);
}

/** What a command changed in a checkout of this commit, whether it committed that or not. */
async function changedSince(git: GitCalls, place: MergePlace, commit: string): Promise<BytePath[]> {
  const tracked = await answerOf(git, place.worktree, ["diff", "--name-only", "--no-renames", "-z", commit, "--"]);
  const untracked = (await uncommittedIn(git, place)).filter(({ state }) => state === "??");
  return [...splitPaths(tracked), ...untracked.map(({ path }) => path)];
}

async function headOf(git: GitCalls, worktree: string): Promise<string> {
  return (await ask(git, worktree, ["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.toString("latin1").trim();
}

/** A folder here is a repository of its own, or one that git ignores as a whole. */
async function remove(worktree: string, path: BytePath): Promise<void> {
  const stats = lstatSync(onDisk(worktree, path), { throwIfNoEntry: false });
  if (stats?.isDirectory()) await deleteFolder(join(worktree, shown(path)));
  else if (stats) removePath(worktree, path);
}

import { ClewError } from "../../../../contract/errors.ts";
import type { Verification } from "../../../../contract/run.ts";
import type { GitCalls } from "../../git-calls.ts";
import { hiddenFiles, showHidden } from "../../hidden-changes.ts";
import { answerOf, ask, branchRef, checkoutAt, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import { checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { displayPath, splitPaths, toBytePath, type BytePath } from "../plumbing/paths.ts";
import { removeTree } from "../plumbing/remove-path.ts";
import type { MergePlace } from "../types.ts";
import { uncommittedIn } from "../plumbing/uncommitted.ts";
import { worktreeTree } from "./worktree-tree.ts";

/** What git ignores in a worktree, folders as one; those that were there before stay. */
export async function ignoredIn(git: GitCalls, worktree: string): Promise<Set<BytePath>> {
  const query = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  return new Set(splitPaths(await answerOf(git, worktree, query)));
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
  const result = await run(git, worktree, ["checkout", "--quiet", "--no-overwrite-ignore", "--detach", commit]);
  if ((await headOf(git, worktree)) === commit && (await checkoutAt(git, worktree))?.branch === "HEAD")
    return undefined;
  return outputOf(result) || "git checkout failed";
}

/** What stood in the worktree besides the branch that was put back. */
export interface PutBackResult {
  removed: string[];
  /** The commit that keeps all of it, where a person may have had a hand in it. */
  backupCommit?: string;
}

/**
 * Puts the run's branch back into its worktree after a verification. All else that stands there is what the command left, and
 * goes, ignored files that were not there `before` too; a branch that it moved goes back. After a crash (without `before`) a
 * person may have worked there meanwhile: then the branch stays where it is, and what is removed is kept as a commit. Throws a
 * ClewError when git cannot do it; then it has to be tried again.
 */
export async function putBranchBack(
  git: GitCalls,
  place: MergePlace,
  { branch, head, commit }: Verification,
  ignoredBefore?: ReadonlySet<BytePath>,
): Promise<PutBackResult> {
  const { worktree, commonDir } = place;
  const checkout = await checkoutAt(git, worktree);
  if (checkout === undefined) return { removed: [] };
  await removeStaleLocks(checkoutLocks(checkout.gitDir));
  // What git was told not to see, it would not put back either.
  const hidden = await hiddenFiles(git, worktree);
  if (hidden.length > 0) await showHidden(git, worktree, hidden);
  const tip = (await tipsOf(git, commonDir, [branch])).get(branch)?.commit;
  const isOnBranch = checkout.branch === branchRef(branch);
  const changedPaths = isOnBranch
    ? (await uncommittedIn(git, place)).map(({ path }) => path)
    : await changedSince(git, place, commit);
  const mustBackUp = ignoredBefore === undefined && changedPaths.length > 0;
  const backupCommit = mustBackUp ? await backUpWorktree(git, place) : undefined;
  if (mustBackUp && backupCommit === undefined) {
    const message = `${worktree} was left in the middle of a verification, and what stands there cannot be kept`;
    throw new ClewError(
      "not_possible_now",
      message,
      `git status there tells more; git checkout --force ${branch} drops it`,
    );
  }
  const checkoutArgs = ignoredBefore || tip === undefined ? ["-B", branch, head] : [branch];
  const result = await run(git, worktree, ["checkout", "--quiet", "--force", ...checkoutArgs, "--"]);
  if ((await checkoutAt(git, worktree))?.branch !== branchRef(branch)) {
    const message = `${branch} could not be put back into ${worktree}: ${outputOf(result)}`;
    throw new ClewError("not_possible_now", message, "git status there tells more; a retry tries it again");
  }
  const leftovers = (await uncommittedIn(git, place)).map(({ path }) => path);
  const ignored = ignoredBefore ? newIgnoredPaths(await ignoredIn(git, worktree), ignoredBefore, place) : [];
  for (const path of [...leftovers, ...ignored]) removeTree(worktree, path.replace(/\/$/, ""));
  const names = [...new Set([...changedPaths, ...leftovers, ...ignored].map((path) => displayPath(path)))].sort();
  const isMoved = ignoredBefore !== undefined && tip !== undefined && tip !== head;
  const removed = isMoved ? [...names, `commit ${tip.slice(0, 12)} on ${branch}`] : names;
  return { removed, ...(backupCommit !== undefined && { backupCommit }) };
}

/** What git ignores now and did not before; never a folder with something in it that was there, or was copied. */
function newIgnoredPaths(
  now: ReadonlySet<BytePath>,
  ignoredBefore: ReadonlySet<BytePath>,
  { copied }: MergePlace,
): BytePath[] {
  const oldPaths = [...ignoredBefore, ...copied.map(toBytePath)];
  return [...now].filter(
    (path) =>
      !oldPaths.some((old) => old === path || old.startsWith(path) || path.startsWith(`${old.replace(/\/$/, "")}/`)),
  );
}

/** Keeps all that stands in the worktree, as a commit on top of what is checked out there. Undefined when git cannot. */
async function backUpWorktree(git: GitCalls, place: MergePlace): Promise<string | undefined> {
  const { worktree, runId } = place;
  const tree = await worktreeTree(git, place);
  if (tree === undefined) return undefined;
  const commitResult = await run(git, worktree, [
    "commit-tree",
    "-p",
    "HEAD",
    "-m",
    "What stood in the worktree",
    tree,
  ]);
  const commit = /^[0-9a-f]{40,64}$/m.exec(commitResult.stdout.toString("latin1"))?.[0];
  if (commitResult.code !== 0 || commit === undefined) return undefined;
  const refResult = await run(git, worktree, ["update-ref", `refs/clew/kept/${runId}`, commit]);
  return refResult.code === 0 ? commit : undefined;
}

/** What a command changed in a checkout of this commit, whether it committed that or not. */
async function changedSince(git: GitCalls, place: MergePlace, commit: string): Promise<BytePath[]> {
  const nameFlags = ["--name-only", "--no-renames", "-z"];
  const tracked = await answerOf(git, place.worktree, ["diff", "--no-ext-diff", ...nameFlags, commit, "--"]);
  const untracked = (await uncommittedIn(git, place)).filter(({ state }) => state === "??");
  return [...splitPaths(tracked), ...untracked.map(({ path }) => path)];
}

async function headOf(git: GitCalls, worktree: string): Promise<string> {
  return (await ask(git, worktree, ["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.toString("latin1").trim();
}

/** For a person: what is not there any more, and where it still is. */
export function putBackMessage({ removed, backupCommit }: PutBackResult): string {
  const more = removed.length - mostNamed;
  const named = `${removed.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const backupRemark =
    backupCommit === undefined ? "" : `; git show ${backupCommit.slice(0, 12)} has it, should a person have made it`;
  return `cleared what verify left: ${named}${backupRemark}`;
}

const mostNamed = 10;

import { ClewError } from "../../../../contract/errors.ts";
import type { Verification } from "../../../../contract/run.ts";
import type { GitCalls } from "../../git-calls.ts";
import { unhideFiles } from "../../hidden-changes.ts";
import { answerOf, ask, branchRef, checkoutAt, objectIdIn, printedBy, runUserGit, tipCommit } from "../plumbing/ask.ts";
import { checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { displayPath, splitPaths, toBytePath, type BytePath } from "../plumbing/paths.ts";
import { listFirst } from "../../../../text/list-first.ts";
import { removeTree } from "../plumbing/remove-path.ts";
import type { MergePlace } from "../types.ts";
import { uncommittedIn } from "../plumbing/git-status.ts";
import { worktreeTree } from "./worktree-tree.ts";

/** What git ignores in a worktree. A folder is one path. */
export async function ignoredIn(git: GitCalls, worktree: string): Promise<Set<BytePath>> {
  const query = ["ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"];
  return new Set(splitPaths(await answerOf(git, worktree, query)));
}

/**
 * Checks the merged commit out in the run's worktree, whose branch must have nothing uncommitted. Returns what git printed
 * when HEAD does not point there afterwards. Ignored files are not written over.
 */
export async function checkOutMergedCommit(
  git: GitCalls,
  { worktree }: MergePlace,
  commit: string,
): Promise<string | undefined> {
  const result = await runUserGit(git, worktree, ["checkout", "--quiet", "--no-overwrite-ignore", "--detach", commit]);
  const { stdout } = await ask(git, worktree, ["rev-parse", "--verify", "--quiet", "HEAD"]);
  const isAtCommit = stdout.toString("latin1").trim() === commit;
  if (isAtCommit && (await checkoutAt(git, worktree))?.branch === "HEAD") return undefined;
  return printedBy(result) || "git checkout failed";
}

/** What was cleared from the worktree when the branch was put back. */
export interface PutBackResult {
  removed: string[];
  /** The commit that keeps all of it, where a person may have changed something. */
  backupCommit?: string;
}

/**
 * Puts the run's branch back into its worktree after a verification, and to its old commit. Removes what the command left,
 * with ignored files that are not in `ignoredBefore`. After a crash (without `ignoredBefore`) a person may have worked there:
 * then the branch stays where it is, and what is removed is kept as a commit. Throws a ClewError when git cannot do it;
 * then it has to be tried again.
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
  // Git would not put back what it was told not to see.
  await unhideFiles(git, worktree);
  const tip = await tipCommit(git, commonDir, branch);
  const isOnBranch = checkout.branch === branchRef(branch);
  const changedPaths = isOnBranch
    ? (await uncommittedIn(git, place)).map(({ path }) => path)
    : await changedSince(git, place, commit);
  const mustBackUp = ignoredBefore === undefined && changedPaths.length > 0;
  const backupCommit = mustBackUp ? await backUpWorktree(git, place) : undefined;
  if (mustBackUp && backupCommit === undefined) {
    const message = `${worktree} was left in the middle of a verification, and what stands there cannot be kept`;
    const hint = `git status there tells more; git checkout --force ${branch} drops it`;
    throw new ClewError("not_possible_now", message, hint);
  }
  const checkoutArgs = ignoredBefore || tip === undefined ? ["-B", branch, head] : [branch];
  const result = await runUserGit(git, worktree, ["checkout", "--quiet", "--force", ...checkoutArgs, "--"]);
  if ((await checkoutAt(git, worktree))?.branch !== branchRef(branch)) {
    const message = `${branch} could not be put back into ${worktree}: ${printedBy(result)}`;
    throw new ClewError("not_possible_now", message, "git status there tells more; a retry tries it again");
  }
  const leftovers = (await uncommittedIn(git, place)).map(({ path }) => path);
  const ignored = ignoredBefore ? newIgnoredPaths(await ignoredIn(git, worktree), ignoredBefore, place) : [];
  for (const path of [...leftovers, ...ignored]) removeTree(worktree, path.replace(/\/$/, ""));
  const names = [...new Set([...changedPaths, ...leftovers, ...ignored].map(displayPath))].sort();
  const isMoved = ignoredBefore !== undefined && tip !== undefined && tip !== head;
  const removed = isMoved ? [...names, `commit ${tip.slice(0, 12)} on ${branch}`] : names;
  return { removed, ...(backupCommit !== undefined && { backupCommit }) };
}

type PathSet = ReadonlySet<BytePath>;

/** What git ignores now and did not before; never a folder that holds an older file or a copied one. */
function newIgnoredPaths(ignoredNow: PathSet, ignoredBefore: PathSet, { copied }: MergePlace): BytePath[] {
  const oldPaths = [...ignoredBefore, ...copied.map(toBytePath)];
  const isOld = (path: BytePath): boolean =>
    oldPaths.some((old) => old === path || old.startsWith(path) || path.startsWith(`${old.replace(/\/$/, "")}/`));
  return [...ignoredNow].filter((path) => !isOld(path));
}

/** Keeps the files of the worktree as a commit on top of what is checked out there. Undefined when git cannot. */
async function backUpWorktree(git: GitCalls, place: MergePlace): Promise<string | undefined> {
  const { worktree, runId } = place;
  const tree = await worktreeTree(git, place);
  if (tree === undefined) return undefined;
  const command = ["commit-tree", "-p", "HEAD", "-m", "What stood in the worktree", tree];
  const commit = objectIdIn(await runUserGit(git, worktree, command));
  if (commit === undefined) return undefined;
  const refResult = await runUserGit(git, worktree, ["update-ref", `refs/clew/kept/${runId}`, commit]);
  return refResult.code === 0 ? commit : undefined;
}

/** The paths that a command changed in a checkout of this commit, committed or not. */
async function changedSince(git: GitCalls, place: MergePlace, commit: string): Promise<BytePath[]> {
  const nameFlags = ["--name-only", "--no-renames", "-z"];
  const tracked = await answerOf(git, place.worktree, ["diff", "--no-ext-diff", ...nameFlags, commit, "--"]);
  const untracked = (await uncommittedIn(git, place)).filter(({ state }) => state === "??");
  return [...splitPaths(tracked), ...untracked.map(({ path }) => path)];
}

/** Tells a person what was cleared, and where it is kept. */
export function putBackMessage({ removed, backupCommit }: PutBackResult): string {
  const backupRemark =
    backupCommit === undefined ? "" : `; git show ${backupCommit.slice(0, 12)} has it, should a person have made it`;
  return `cleared what verify left: ${listFirst(removed, 10)}${backupRemark}`;
}

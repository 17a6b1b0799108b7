import { ClewError } from "../../../../contract/errors.ts";
import type { Verification } from "../../../../contract/run.ts";
import type { GitCalls } from "../../git-calls.ts";
import { hiddenFiles, showHidden } from "../../hidden-changes.ts";
import { answerOf, ask, branchRef, checkoutAt, run, tipsOf, outputOf } from "../plumbing/ask.ts";
import { checkoutLocks, removeStaleLocks } from "../plumbing/locks.ts";
import { shown, splitPaths, toBytePath, type BytePath } from "../plumbing/paths.ts";
import { removeTree } from "../plumbing/remove-path.ts";
import type { MergePlace } from "../types.ts";
import { uncommittedIn } from "../plumbing/uncommitted.ts";
import { worktreeTree } from "./worktree-tree.ts";

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
  return outputOf(end) || "git checkout failed";
}

/** What stood in the worktree besides the branch that was put back. */
export interface PutBack {
  removed: string[];
  /** The commit that keeps all of it, where a person may have had a hand in it. */
  keptAs?: string;
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
  before?: ReadonlySet<BytePath>,
): Promise<PutBack> {
  const { worktree, commonDir } = place;
  const at = await checkoutAt(git, worktree);
  if (at === undefined) return { removed: [] };
  await removeStaleLocks(checkoutLocks(at.gitDir));
  // What git was told not to see, it would not put back either.
  const hidden = await hiddenFiles(git, worktree);
  if (hidden.length > 0) await showHidden(git, worktree, hidden);
  const tip = (await tipsOf(git, commonDir, [branch])).get(branch)?.commit;
  const isOnBranch = at.branch === branchRef(branch);
  const changed = isOnBranch
    ? (await uncommittedIn(git, place)).map(({ path }) => path)
    : await changedSince(git, place, commit);
  const mustKeep = before === undefined && changed.length > 0;
  const keptAs = mustKeep ? await keepWorktree(git, place) : undefined;
  if (mustKeep && keptAs === undefined) {
    const message = `${worktree} was left in the middle of a verification, and what stands there cannot be kept`;
    throw new ClewError(
      "not_possible_now",
      message,
      `git status there tells more; git checkout --force ${branch} drops it`,
    );
  }
  const to = before || tip === undefined ? ["-B", branch, head] : [branch];
  const end = await run(git, worktree, ["checkout", "--quiet", "--force", ...to, "--"]);
  if ((await checkoutAt(git, worktree))?.branch !== branchRef(branch)) {
    const message = `${branch} could not be put back into ${worktree}: ${outputOf(end)}`;
    throw new ClewError("not_possible_now", message, "git status there tells more; a retry tries it again");
  }
  const left = (await uncommittedIn(git, place)).map(({ path }) => path);
  const ignored = before ? newIn(await ignoredIn(git, worktree), before, place) : [];
  for (const path of [...left, ...ignored]) removeTree(worktree, path.replace(/\/$/, ""));
  const names = [...new Set([...changed, ...left, ...ignored].map((path) => shown(path)))].sort();
  const isMoved = before !== undefined && tip !== undefined && tip !== head;
  const removed = isMoved ? [...names, `commit ${tip.slice(0, 12)} on ${branch}`] : names;
  return { removed, ...(keptAs !== undefined && { keptAs }) };
}

/** What git ignores now and did not before; never a folder with something in it that was there, or was copied. */
function newIn(now: ReadonlySet<BytePath>, before: ReadonlySet<BytePath>, { copied }: MergePlace): BytePath[] {
  const there = [...before, ...copied.map(toBytePath)];
  return [...now].filter(
    (path) =>
      !there.some((old) => old === path || old.startsWith(path) || path.startsWith(`${old.replace(/\/$/, "")}/`)),
  );
}

/** Keeps all that stands in the worktree, as a commit on top of what is checked out there. Undefined when git cannot. */
async function keepWorktree(git: GitCalls, place: MergePlace): Promise<string | undefined> {
  const { worktree, runId } = place;
  const tree = await worktreeTree(git, place);
  if (tree === undefined) return undefined;
  const made = await run(git, worktree, ["commit-tree", "-p", "HEAD", "-m", "What stood in the worktree", tree]);
  const commit = /^[0-9a-f]{40,64}$/m.exec(made.stdout.toString("latin1"))?.[0];
  if (made.code !== 0 || commit === undefined) return undefined;
  const kept = await run(git, worktree, ["update-ref", `refs/clew/kept/${runId}`, commit]);
  return kept.code === 0 ? commit : undefined;
}

/** What a command changed in a checkout of this commit, whether it committed that or not. */
async function changedSince(git: GitCalls, place: MergePlace, commit: string): Promise<BytePath[]> {
  const named = ["--name-only", "--no-renames", "-z"];
  const tracked = await answerOf(git, place.worktree, ["diff", "--no-ext-diff", ...named, commit, "--"]);
  const untracked = (await uncommittedIn(git, place)).filter(({ state }) => state === "??");
  return [...splitPaths(tracked), ...untracked.map(({ path }) => path)];
}

async function headOf(git: GitCalls, worktree: string): Promise<string> {
  return (await ask(git, worktree, ["rev-parse", "--verify", "--quiet", "HEAD"])).stdout.toString("latin1").trim();
}

/** For a person: what is not there any more, and where it still is. */
export function putBackMessage({ removed, keptAs }: PutBack): string {
  const more = removed.length - mostNamed;
  const named = `${removed.slice(0, mostNamed).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  const kept = keptAs === undefined ? "" : `; git show ${keptAs.slice(0, 12)} has it, should a person have made it`;
  return `cleared what verify left: ${named}${kept}`;
}

const mostNamed = 10;

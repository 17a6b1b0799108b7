import { diskFull } from "../disk-full.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { readEntries } from "./git-worktree-entries.ts";
import { commitOf } from "./inspect-worktree.ts";
import { makingReason } from "./making-mark.ts";
import { WorktreeRefusal } from "./refusal.ts";

/** The worktree that a run is to have. */
export interface WorktreeSpec extends Repository {
  bead: string;
  runId: string;
  branch: string;
  /** The commit that it begins at. */
  base: string;
  target: string | null;
  /** Patterns of files to copy from the main checkout. */
  copy: string[];
}

/** Lets git make the worktree, which is locked with our mark then. Returns git's own folder of it. */
export async function addWorktree(
  git: GitCalls,
  spec: WorktreeSpec,
  newFolder: string,
  report: (line: string) => void,
): Promise<string> {
  const { root, branch, runId, base } = spec;
  const isNewBranch = await isBranchMissing(git, spec);
  const lockFlags = ["--lock", "--reason", makingReason({ run: runId, base })];
  const checkoutArgs = isNewBranch ? ["--no-track", "-b", branch, newFolder, base] : [newFolder, branch];
  const result = await git.guarded(root, ["worktree", "add", ...lockFlags, ...checkoutArgs]);
  const entries = await readEntries(git, spec);
  const entry = entries.find(({ makingMark, folder }) => makingMark?.run === runId && folder === newFolder);
  const { code } = result;
  // Git takes back a checkout that failed. When the worktree is there, only a hook failed.
  if (entry && code >= 0) {
    if (code > 0) report(`the hook post-checkout exited with ${code}; the worktree is there all the same`);
    return entry.gitFolder;
  }
  if (isNewBranch) await git.plain(root, ["update-ref", "-d", `refs/heads/${branch}`, base]);
  const diskFullError = diskFull(result, root);
  if (diskFullError) throw diskFullError;
  const output = `${result.stdout.toString("utf8")}${result.stderr}`;
  throw new WorktreeRefusal(code < 0 ? "git worktree add was stopped" : `git could not make ${newFolder}`, { output });
}

/** Whether the branch has to be made. After a crash it may exist, and have the run's commits. */
async function isBranchMissing(git: GitCalls, { root, branch, base }: WorktreeSpec): Promise<boolean> {
  if (base === "") throw new WorktreeRefusal("there is no commit yet that a worktree could begin at: make one first");
  if ((await commitOf(git, root, base)) !== base)
    throw new WorktreeRefusal(`the commit ${base} is not in this repository`);
  const tip = await commitOf(git, root, `refs/heads/${branch}`);
  if (tip === null) return true;
  const { code } = await git.plain(root, ["merge-base", "--is-ancestor", base, tip]);
  if (code !== 0)
    throw new WorktreeRefusal(`there is a branch ${branch} that does not come from ${base}: rename or delete it`);
  return false;
}

import { diskFull } from "../disk-full.ts";
import type { GitCalls } from "../git-calls.ts";
import { readEntries } from "./entries.ts";
import { commitOf } from "./inspect-worktree.ts";
import { makingReason } from "./making-mark.ts";
import type { WorktreeSpec } from "./worktree-spec.ts";
import { Refusal } from "./refusal.ts";

interface Way {
  newFolder: string;
  report: (line: string) => void;
}

/** Lets git make the worktree; it is locked with our mark afterwards. Gives git's own folder of it. */
export async function addWorktree(git: GitCalls, spec: WorktreeSpec, { newFolder, report }: Way): Promise<string> {
  const { root, branch, runId, base } = spec;
  const isNewBranch = await isBranchMissing(git, spec);
  const lockFlags = ["--lock", "--reason", makingReason({ run: runId, base })];
  const checkoutArgs = isNewBranch ? ["--no-track", "-b", branch, newFolder, base] : [newFolder, branch];
  const result = await git.guarded(root, ["worktree", "add", ...lockFlags, ...checkoutArgs]);
  const entry = (await readEntries(git, spec)).find(
    ({ makingMark: making, folder }) => making?.run === runId && folder === newFolder,
  );
  // Git takes back a checkout that failed. What is there in spite of a bad exit code only had a hook that failed.
  if (entry && result.code >= 0) {
    if (result.code > 0)
      report(`the hook post-checkout exited with ${result.code}; the worktree is there all the same`);
    return entry.gitFolder;
  }
  if (isNewBranch) await git.plain(root, ["update-ref", "-d", `refs/heads/${branch}`, base]);
  const diskFullError = diskFull(result, root);
  if (diskFullError) throw diskFullError;
  const output = `${result.stdout.toString("utf8")}${result.stderr}`;
  throw new Refusal(result.code < 0 ? "git worktree add was stopped" : `git could not make ${newFolder}`, { output });
}

/** Whether the branch has to be made. After a crash it may be there, and may have the run's commits. */
async function isBranchMissing(git: GitCalls, { root, branch, base }: WorktreeSpec): Promise<boolean> {
  if (base === "") throw new Refusal("there is no commit yet that a worktree could begin at: make one first");
  if ((await commitOf(git, root, base)) !== base) throw new Refusal(`the commit ${base} is not in this repository`);
  const tip = await commitOf(git, root, `refs/heads/${branch}`);
  if (tip === null) return true;
  const { code } = await git.plain(root, ["merge-base", "--is-ancestor", base, tip]);
  if (code !== 0) throw new Refusal(`there is a branch ${branch} that does not come from ${base}: rename or delete it`);
  return false;
}

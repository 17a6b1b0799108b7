import { diskFull } from "../disk-full.ts";
import type { GitCalls } from "../git-calls.ts";
import { readEntries } from "./entries.ts";
import { commitOf } from "./inspect-worktree.ts";
import { makingReason } from "./making-mark.ts";
import type { WorktreeSpec } from "./worktree-spec.ts";
import { Refusal } from "./refusal.ts";

interface Way {
  wanted: string;
  say: (line: string) => void;
}

/** Lets git make the worktree; it is locked with our mark afterwards. Gives git's own folder of it. */
export async function addWorktree(git: GitCalls, spec: WorktreeSpec, { wanted, say }: Way): Promise<string> {
  const { root, branch, runId, base } = spec;
  const isNewBranch = await isBranchMissing(git, spec);
  const locked = ["--lock", "--reason", makingReason({ run: runId, base })];
  const what = isNewBranch ? ["--no-track", "-b", branch, wanted, base] : [wanted, branch];
  const added = await git.guarded(root, ["worktree", "add", ...locked, ...what]);
  const made = (await readEntries(git, spec)).find(({ making, folder }) => making?.run === runId && folder === wanted);
  // Git takes back a checkout that failed. What is there in spite of a bad exit code only had a hook that failed.
  if (made && added.code >= 0) {
    if (added.code > 0) say(`the hook post-checkout exited with ${added.code}; the worktree is there all the same`);
    return made.gitFolder;
  }
  if (isNewBranch) await git.plain(root, ["update-ref", "-d", `refs/heads/${branch}`, base]);
  const full = diskFull(added, root);
  if (full) throw full;
  const output = `${added.stdout.toString("utf8")}${added.stderr}`;
  throw new Refusal(added.code < 0 ? "git worktree add was stopped" : `git could not make ${wanted}`, { output });
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

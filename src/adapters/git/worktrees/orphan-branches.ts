import type { BranchRemoval, OrphanBranch, RunStart } from "../../../app/worktree/ports.ts";
import { runOfBranch } from "../../../contract/worktree.ts";
import { splitFields } from "../split-fields.ts";
import type { GitCalls } from "../git-calls.ts";
import { headBranch } from "../refs.ts";
import type { Repository } from "../repository.ts";
import { readEntries } from "./git-worktree-entries.ts";
import type { WithLock } from "../locks-of-git.ts";
import { gitFailed } from "./list-worktrees.ts";
import { commitOf, countAhead } from "./inspect-worktree.ts";

/** Branches of runs whose worktree a person removed with git. */
export async function orphanBranches(git: GitCalls, repository: Repository): Promise<OrphanBranch[]> {
  const query = ["for-each-ref", "--format=%(refname)", "refs/heads/clew/"];
  const { code, stdout, stderr } = await git.plain(repository.root, query);
  if (code !== 0) throw gitFailed(stderr);
  const branches = splitFields(stdout, "\n").map((ref) => ref.slice("refs/heads/".length));
  if (branches.length === 0) return [];
  const entries = await readEntries(git, repository);
  const usedBranches = new Set(entries.flatMap(({ branch, note }) => [branch, note?.branch]));
  return branches.flatMap((branch) => {
    const run = runOfBranch(branch);
    return run === undefined || usedBranches.has(branch) || headBranch(repository) === branch ? [] : [{ run, branch }];
  });
}

/**
 * Removes the branch of a run that has no worktree. Without force it stays when it has commits that are not in the run's
 * `start`, its base and target.
 */
export function removeOrphanBranch(
  git: GitCalls,
  repository: Repository,
  runId: string,
  { withLock, start, isForced }: { withLock: WithLock; start: RunStart; isForced: boolean },
): Promise<BranchRemoval> {
  return withLock(async (): Promise<BranchRemoval> => {
    const orphan = (await orphanBranches(git, repository)).find(({ run }) => run === runId);
    const ref = orphan && `refs/heads/${orphan.branch}`;
    const commit = ref === undefined ? null : await commitOf(git, repository.root, ref);
    if (orphan === undefined || ref === undefined || commit === null) return { kind: "none" };
    const ahead = await countAhead(git, repository.root, start, [commit]);
    if (ahead !== 0 && !isForced) return { kind: "kept", branch: orphan.branch, ahead };
    const { code, stderr } = await git.plain(repository.root, ["update-ref", "-d", ref, commit]);
    if (code !== 0) throw gitFailed(stderr);
    return { kind: "removed", branch: orphan.branch, commit: ahead === 0 ? null : commit };
  });
}

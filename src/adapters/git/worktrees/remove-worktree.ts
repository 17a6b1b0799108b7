import { renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { WorktreeEntry, ReasonToKeep, Removal } from "../../../app/worktree/ports.ts";
import { explained, isMissing } from "../../files/failure.ts";
import { systemIds } from "../../system/system.ts";
import type { GitCalls } from "../git-calls.ts";
import { headBranch } from "../refs.ts";
import type { Repository } from "../repository.ts";
import { deleteFolder } from "./delete-folder.ts";
import { readEntries, type Entry } from "./entries.ts";
import type { WithLock } from "./with-lock.ts";
import { worktreeEntry } from "./worktree-entries.ts";
import { commitOf, countAhead, inspectWorktree } from "./inspect-worktree.ts";
import { forgetEntry } from "./place.ts";
import { rootPaths } from "../../layout.ts";

interface Tools {
  withLock: WithLock;
  /** Asked under the lock, with what is there at that moment. */
  reasonToKeep: ReasonToKeep;
  /** Also takes away a branch with commits that are nowhere else. */
  isForced?: boolean | undefined;
}

/**
 * Removes a worktree with its folder and, when nothing on it would be lost, its branch. What was cut off before is gone on
 * with. A worktree that a person locked or took away stays, whatever the caller wants.
 */
export async function removeWorktree(
  git: GitCalls,
  repository: Repository,
  isMatch: (worktree: WorktreeEntry) => boolean,
  { withLock, reasonToKeep, isForced = false }: Tools,
): Promise<Removal> {
  const { removal, rubbish } = await withLock(async (): Promise<{ removal: Removal; rubbish?: string }> => {
    const entries = await readEntries(git, repository);
    const worktree = entries.map((entry) => worktreeEntry(repository, entry)).find((each) => each && isMatch(each));
    if (!worktree) return { removal: { kind: "none" } };
    const reason = userReason(worktree) ?? reasonToKeep(worktree, await inspectWorktree(git, repository, worktree));
    if (reason !== undefined) return { removal: { kind: "kept", reason } };
    const { rubbish: rubbishFolder, ...branch } = await dropWorktree(git, repository, worktree, isForced);
    const removed: Removal = { kind: "removed", folder: worktree.folder, ...branch };
    return { removal: removed, ...(rubbishFolder !== undefined && { rubbish: rubbishFolder }) };
  });
  // The slow part needs no lock: nobody finds the folder any more.
  if (rubbish !== undefined) await deleteFolder(rubbish);
  return removal;
}

function userReason({ lock, isElsewhere, isBroken }: WorktreeEntry): string | undefined {
  if (lock !== null) return lock === "" ? "it is locked" : `it is locked: ${lock}`;
  if (isBroken) return "its folder has lost its .git file";
  return isElsewhere ? "it was moved out of .worktrees" : undefined;
}

/** Under the lock. Git's own folder goes last, because it is what tells that there is something to go on with. */
async function dropWorktree(
  git: GitCalls,
  repository: Repository,
  worktree: WorktreeEntry,
  isForced = false,
): Promise<{ rubbish?: string; branchKept: { branch: string; reason: string } | null; commit: string | null }> {
  const { folder, branch } = worktree;
  const isThere = !worktree.isMissing && !worktree.isBroken;
  const rubbish = join(
    rootPaths.worktrees(repository.root),
    `${rubbishPrefix}${basename(folder)}-${systemIds.random(8)}`,
  );
  if (isThere) explained(folder, () => renameSync(folder, rubbish));
  const dropResult =
    branch === null ? { commit: null } : await dropBranch(git, repository, { worktree, branch, isForced });
  forgetEntry(worktree);
  const branchKept = branch !== null && "keptBecause" in dropResult ? { branch, reason: dropResult.keptBecause } : null;
  return {
    ...(isThere && { rubbish }),
    branchKept: branchKept,
    commit: "commit" in dropResult ? dropResult.commit : null,
  };
}

/** Several at once, under the lock; gives the folders that are still to be deleted. */
export async function dropEntries(git: GitCalls, repository: Repository, entries: Entry[]): Promise<string[]> {
  const rubbish: string[] = [];
  for (const worktree of entries.flatMap((entry) => worktreeEntry(repository, entry) ?? [])) {
    const dropResult = await dropWorktree(git, repository, worktree);
    if (dropResult.rubbish !== undefined) rubbish.push(dropResult.rubbish);
  }
  return rubbish;
}

/** `kept` says why it stays; `commit` what is lost with it, when that was wanted. */
async function dropBranch(
  git: GitCalls,
  repository: Repository,
  { worktree, branch, isForced }: { worktree: WorktreeEntry; branch: string; isForced: boolean },
): Promise<{ commit: string | null } | { keptBecause: string }> {
  const { root } = repository;
  const ref = `refs/heads/${branch}`;
  const tip = await commitOf(git, root, ref);
  if (tip === null) return { commit: null };
  const isElsewhere = (await countAhead(git, root, worktree, [tip])) === 0;
  if (!isElsewhere && !isForced) return { keptBecause: "it has commits that are nowhere else" };
  const others = (await readEntries(git, repository)).filter(({ gitFolder }) => gitFolder !== worktree.gitFolder);
  if (headBranch(repository) === branch || others.some((other) => other.branch === branch)) {
    return { keptBecause: "it is checked out elsewhere" };
  }
  const { code, stderr } = await git.plain(root, ["update-ref", "-d", ref, tip]);
  if (code === 0) return { commit: isElsewhere ? null : tip };
  return { keptBecause: `git did not delete it: ${stderr.trim().split("\n", 1)[0]}` };
}

const rubbishPrefix = ".removed-";

/** Folders of worktrees whose removal was cut off, or is under way. */
export async function findRubbish({ root }: Repository): Promise<string[]> {
  const folder = rootPaths.worktrees(root);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => name.startsWith(rubbishPrefix)).map((name) => join(folder, name));
}

export async function sweepRubbish(repository: Repository): Promise<void> {
  for (const folder of await findRubbish(repository)) await deleteFolder(folder);
}

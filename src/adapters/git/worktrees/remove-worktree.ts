import { renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { WorktreeEntry, ReasonToKeep, Removal } from "../../../app/worktree/ports.ts";
import { explainErrors, isMissing } from "../../files/failure.ts";
import { systemIds } from "../../system/system.ts";
import type { GitCalls } from "../git-calls.ts";
import { headBranch } from "../refs.ts";
import type { Repository } from "../repository.ts";
import { deleteFolder } from "./delete-folder.ts";
import { readEntries, type GitWorktree } from "./git-worktree-entries.ts";
import type { WithLock } from "../locks-of-git.ts";
import { worktreeEntry } from "./run-worktree-entries.ts";
import { commitOf, countAhead, inspectWorktree } from "./inspect-worktree.ts";
import { forgetEntry } from "./move-worktree.ts";
import { rootPaths } from "../../layout.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";

interface Tools {
  withLock: WithLock;
  /** Asked under the lock, with what is there at that moment. */
  reasonToKeep: ReasonToKeep;
  /** Also removes a branch with commits that are nowhere else. */
  isForced?: boolean | undefined;
}

/**
 * Removes a worktree with its folder and, when nothing on it would be lost, its branch. Finishes a removal that was cut
 * off. A worktree that a person locked or moved away always stays.
 */
export async function removeWorktree(
  git: GitCalls,
  repository: Repository,
  isMatch: (worktree: WorktreeEntry) => boolean,
  { withLock, reasonToKeep, isForced = false }: Tools,
): Promise<Removal> {
  const { removal, rubbish = [] } = await withLock(async (): Promise<{ removal: Removal; rubbish?: string[] }> => {
    const entries = await readEntries(git, repository);
    const worktree = entries.map((entry) => worktreeEntry(repository, entry)).find((each) => each && isMatch(each));
    if (!worktree) return { removal: { kind: "none" } };
    const reason = userReason(worktree) ?? reasonToKeep(worktree, await inspectWorktree(git, repository, worktree));
    if (reason !== undefined) return { removal: { kind: "kept", reason } };
    const { branchKept, commit, ...folders } = await dropWorktree(git, repository, worktree, isForced);
    return { removal: { kind: "removed", folder: worktree.folder, branchKept, commit }, ...folders };
  });
  // The slow part needs no lock: no other process finds the folder any more.
  for (const folder of rubbish) await deleteFolder(folder);
  return removal;
}

function userReason({ lock, isElsewhere, isBroken }: WorktreeEntry): string | undefined {
  if (lock !== null) return lock === "" ? "it is locked" : `it is locked: ${lock}`;
  if (isBroken) return "its folder has lost its .git file";
  return isElsewhere ? "it was moved out of .worktrees" : undefined;
}

/** What became of a branch: why it stays, or the commit that is lost with it. */
type BranchDrop = Pick<Extract<Removal, { kind: "removed" }>, "branchKept" | "commit">;

/**
 * Call it under the lock. Moves the folder to where it is deleted later (`rubbish`). Git's own folder goes last: as long as
 * it is there, a removal that was cut off is found and finished.
 */
async function dropWorktree(
  git: GitCalls,
  repository: Repository,
  worktree: WorktreeEntry,
  isForced = false,
): Promise<BranchDrop & { rubbish: string[] }> {
  const { folder } = worktree;
  const hasFolder = !worktree.isMissing && !worktree.isBroken;
  const rubbish = hasFolder ? [worktreePaths.removed(repository.root, folder, systemIds.random(8))] : [];
  for (const place of rubbish) explainErrors(folder, () => renameSync(folder, place));
  const branchDrop = await dropBranch(git, repository, worktree, isForced);
  forgetEntry(worktree);
  return { ...branchDrop, rubbish };
}

/** Drops several worktrees, under the lock; returns the folders that are still to be deleted. */
export async function dropEntries(git: GitCalls, repository: Repository, entries: GitWorktree[]): Promise<string[]> {
  const rubbish: string[] = [];
  for (const worktree of entries.flatMap((entry) => worktreeEntry(repository, entry) ?? [])) {
    rubbish.push(...(await dropWorktree(git, repository, worktree)).rubbish);
  }
  return rubbish;
}

async function dropBranch(
  git: GitCalls,
  repository: Repository,
  worktree: WorktreeEntry,
  isForced: boolean,
): Promise<BranchDrop> {
  const { root } = repository;
  const { branch } = worktree;
  const ref = `refs/heads/${branch}`;
  const tip = branch === null ? null : await commitOf(git, root, ref);
  if (branch === null || tip === null) return { branchKept: null, commit: null };
  const keep = (reason: string): BranchDrop => ({ branchKept: { branch, reason }, commit: null });
  const isElsewhere = (await countAhead(git, root, worktree, [tip])) === 0;
  if (!isElsewhere && !isForced) return keep("it has commits that are nowhere else");
  const others = (await readEntries(git, repository)).filter(({ gitFolder }) => gitFolder !== worktree.gitFolder);
  if (headBranch(repository) === branch || others.some((other) => other.branch === branch)) {
    return keep("it is checked out elsewhere");
  }
  const { code, stderr } = await git.plain(root, ["update-ref", "-d", ref, tip]);
  if (code !== 0) return keep(`git did not delete it: ${stderr.trim().split("\n", 1)[0]}`);
  return { branchKept: null, commit: isElsewhere ? null : tip };
}

/** Folders of worktrees whose removal was cut off, or is under way. */
export async function findRubbish({ root }: Repository): Promise<string[]> {
  const folder = rootPaths.worktrees(root);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => worktreePaths.isRemoved(name)).map((name) => join(folder, name));
}

export async function sweepRubbish(repository: Repository): Promise<void> {
  for (const folder of await findRubbish(repository)) await deleteFolder(folder);
}

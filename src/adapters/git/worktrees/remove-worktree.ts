import { renameSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { KnownWorktree, ReasonToKeep, Removal } from "../../../app/worktree-port.ts";
import { explained, isMissing } from "../../files/failure.ts";
import { systemIds } from "../../system/system.ts";
import type { GitCalls } from "../git-calls.ts";
import { headBranch } from "../refs.ts";
import type { Repository } from "../repository.ts";
import { deleteFolder } from "./delete-folder.ts";
import { readEntries, type Entry } from "./entries.ts";
import type { Exclusively } from "./exclusively.ts";
import { knownWorktree } from "./known-worktrees.ts";
import { commitOf, countAhead, lookInto } from "./look.ts";
import { forget } from "./place.ts";
import { worktreesFolder } from "./worktree-folder.ts";

interface Tools {
  exclusively: Exclusively;
  /** Asked under the lock, with what is there at that moment. */
  reasonToKeep: ReasonToKeep;
}

/**
 * Removes a worktree with its folder and, when nothing on it would be lost, its branch. What was cut off before is gone on
 * with. A worktree that a person locked or took away stays, whatever the caller wants.
 */
export async function removeWorktree(
  git: GitCalls,
  repository: Repository,
  isMeant: (worktree: KnownWorktree) => boolean,
  { exclusively, reasonToKeep }: Tools,
): Promise<Removal> {
  const { removal, rubbish } = await exclusively(async (): Promise<{ removal: Removal; rubbish?: string }> => {
    const entries = await readEntries(git, repository);
    const worktree = entries.map((entry) => knownWorktree(repository, entry)).find((each) => each && isMeant(each));
    if (!worktree) return { removal: { kind: "none" } };
    const reason = personsReason(worktree) ?? reasonToKeep(worktree, await lookInto(git, repository, worktree));
    if (reason !== undefined) return { removal: { kind: "kept", reason } };
    const dropped = await dropWorktree(git, repository, worktree);
    return { removal: { kind: "removed", folder: worktree.folder, branchKept: dropped.branchKept }, ...dropped };
  });
  // The slow part needs no lock: nobody finds the folder any more.
  if (rubbish !== undefined) await deleteFolder(rubbish);
  return removal;
}

function personsReason({ lock, isElsewhere, isBroken }: KnownWorktree): string | undefined {
  if (lock !== null) return lock === "" ? "it is locked" : `it is locked: ${lock}`;
  if (isBroken) return "its folder has lost its .git file";
  return isElsewhere ? "it was moved out of .worktrees" : undefined;
}

/** Under the lock. Git's own folder goes last, because it is what tells that there is something to go on with. */
async function dropWorktree(
  git: GitCalls,
  repository: Repository,
  worktree: KnownWorktree,
): Promise<{ rubbish?: string; branchKept: string | null }> {
  const { folder, branch } = worktree;
  const isThere = !worktree.isMissing && !worktree.isBroken;
  const rubbish = join(worktreesFolder(repository.root), `${rubbishPrefix}${basename(folder)}-${systemIds.random(8)}`);
  if (isThere) explained(folder, () => renameSync(folder, rubbish));
  const isKept = branch !== null && !(await dropBranch(git, repository, worktree, branch));
  forget(worktree);
  return { ...(isThere && { rubbish }), branchKept: isKept ? branch : null };
}

/** Several at once, under the lock; gives the folders that are still to be deleted. */
export async function dropEntries(git: GitCalls, repository: Repository, entries: Entry[]): Promise<string[]> {
  const rubbish: string[] = [];
  for (const worktree of entries.flatMap((entry) => knownWorktree(repository, entry) ?? [])) {
    const dropped = await dropWorktree(git, repository, worktree);
    if (dropped.rubbish !== undefined) rubbish.push(dropped.rubbish);
  }
  return rubbish;
}

/** False when it stays: it has commits that are nowhere else, or is checked out elsewhere. */
async function dropBranch(
  git: GitCalls,
  repository: Repository,
  worktree: KnownWorktree,
  branch: string,
): Promise<boolean> {
  const { root } = repository;
  const ref = `refs/heads/${branch}`;
  const tip = await commitOf(git, root, ref);
  if (tip === null) return true;
  if ((await countAhead(git, root, worktree, [tip])) !== 0) return false;
  const others = (await readEntries(git, repository)).filter(({ gitFolder }) => gitFolder !== worktree.gitFolder);
  if (headBranch(repository) === branch || others.some((other) => other.branch === branch)) return false;
  const { code } = await git.plain(root, ["update-ref", "-d", ref, tip]);
  return code === 0;
}

const rubbishPrefix = ".removed-";

/** Folders of worktrees whose removal was cut off, or is under way. */
export async function findRubbish({ root }: Repository): Promise<string[]> {
  const folder = worktreesFolder(root);
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => name.startsWith(rubbishPrefix)).map((name) => join(folder, name));
}

export async function sweepRubbish(repository: Repository): Promise<void> {
  for (const folder of await findRubbish(repository)) await deleteFolder(folder);
}

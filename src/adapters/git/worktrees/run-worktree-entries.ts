import { dirname } from "node:path";
import type { WorktreeEntry } from "../../../app/worktree/ports.ts";
import { runOfBranch } from "../../../contract/worktree.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { readEntries, type GitWorktree } from "./git-worktree-entries.ts";
import { rootPaths } from "../../layout.ts";
import { isFree } from "./worktree-folder.ts";

/** The worktrees of runs, also those that were set aside, moved by hand, or whose folder is gone. */
export async function runWorktreeEntries(git: GitCalls, repository: Repository): Promise<WorktreeEntry[]> {
  const entries = await readEntries(git, repository);
  return entries.flatMap((entry) => worktreeEntry(repository, entry) ?? []);
}

/** Undefined when it is not the worktree of a run. */
export function worktreeEntry({ root }: Repository, entry: GitWorktree): WorktreeEntry | undefined {
  const { gitFolder, note, makingMark, branch, head } = entry;
  const folder = entry.folder ?? entry.recordedFolder ?? gitFolder;
  const isElsewhere = entry.recordedFolder !== undefined && dirname(folder) !== rootPaths.worktrees(root);
  const run = note?.run ?? makingMark?.run ?? (isElsewhere ? undefined : runOfBranch(branch ?? ""));
  if (run === undefined) return undefined;
  const isBroken = entry.folder === undefined && entry.recordedFolder !== undefined && !isFree(entry.recordedFolder);
  return {
    gitFolder,
    folder,
    isMissing: entry.folder === undefined && !isBroken,
    isBroken,
    isElsewhere,
    isUnfinished: isHalfPrepared(entry),
    run,
    bead: note?.bead ?? null,
    branch: note?.branch ?? branch ?? null,
    head: head ?? null,
    base: note?.base ?? makingMark?.base ?? null,
    target: note?.target ?? null,
    copied: note?.copied ?? [],
    lock: userLock(entry) ?? null,
  };
}

/** Whether Clew died before the worktree was ready for a step. */
export function isHalfPrepared({ note, makingMark }: GitWorktree): boolean {
  return note === undefined && makingMark !== undefined;
}

/** The reason of a lock that a person set; undefined without one. */
export function userLock({ lock, makingMark }: GitWorktree): string | undefined {
  return makingMark ? undefined : lock;
}

import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import type { GitWorktree } from "./git-worktree-entries.ts";
import { isHalfPrepared, worktreeEntry, userLock } from "./run-worktree-entries.ts";
import { forgetEntry, moveWorktree, recordPlace } from "./move-worktree.ts";
import { WorktreeRefusal } from "./refusal.ts";
import { dropEntries } from "./remove-worktree.ts";
import { isFree } from "./worktree-folder.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";

interface Occupancy {
  newFolder: string;
  entries: GitWorktree[];
  isOver: (runId: string) => boolean;
}

/**
 * Frees the place of a new worktree, or refuses. Sets aside what runs that are over left there, and drops worktrees that
 * were never finished or whose folder is gone. Returns the folders that are still to be deleted.
 */
export async function clearPlace(git: GitCalls, repository: Repository, occupancy: Occupancy): Promise<string[]> {
  // All of it is checked before anything changes.
  refuseOccupied(repository, occupancy);
  const { newFolder, entries } = occupancy;
  const rubbish: string[] = [];
  for (const entry of entries) {
    if (entry.recordedFolder !== newFolder && entry.folder !== newFolder) continue;
    await recordPlace(git, entry);
    if ((entry.folder ?? newFolder) === newFolder) rubbish.push(...(await clearEntry(git, repository, entry)));
  }
  return rubbish;
}

/** Throws a Refusal when something in the place may not be put away. Reads only. */
export function refuseOccupied(repository: Repository, { newFolder, entries, isOver }: Occupancy): void {
  if (!isFree(newFolder) && !entries.some(({ folder }) => folder === newFolder)) {
    throw new WorktreeRefusal(`${newFolder} is not a worktree that git knows`, { hint: "move it away" });
  }
  for (const entry of entries) {
    const isInPlace = entry.folder === newFolder || (entry.folder === undefined && entry.recordedFolder === newFolder);
    if (isInPlace) refuseKept(repository, entry, isOver);
  }
}

function refuseKept(repository: Repository, entry: GitWorktree, isOver: (runId: string) => boolean): void {
  const { recordedFolder, folder } = entry;
  const worktree = worktreeEntry(repository, entry);
  if (userLock(entry) !== undefined) {
    throw new WorktreeRefusal(`the worktree ${folder ?? recordedFolder} is locked`, { hint: "git worktree unlock it" });
  }
  if (!worktree && folder !== undefined) {
    throw new WorktreeRefusal(`${folder} is a worktree that no run made`, { hint: "git worktree move it" });
  }
  const run = worktree?.run ?? "";
  if (!worktree || isOver(run)) return;
  throw new WorktreeRefusal(`${folder ?? recordedFolder} is the worktree of run ${run}, which is not over`, {
    hint: `clew run show ${run} tells where it stands`,
  });
}

async function clearEntry(git: GitCalls, repository: Repository, entry: GitWorktree): Promise<string[]> {
  const { folder } = entry;
  const worktree = worktreeEntry(repository, entry);
  if (!worktree) {
    forgetEntry(entry);
    return [];
  }
  if (folder === undefined || isHalfPrepared(entry)) return dropEntries(git, repository, [entry]);
  await moveWorktree(
    git,
    { ...entry, folder, recordedFolder: folder },
    worktreePaths.aside(folder, worktree.run ?? ""),
  );
  return [];
}

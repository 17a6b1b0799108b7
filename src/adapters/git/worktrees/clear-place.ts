import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import type { Entry } from "./entries.ts";
import { isUnfinished, worktreeEntry, userLock } from "./worktree-entries.ts";
import { asidePlace, forget, movePlace, tellPlace } from "./place.ts";
import { Refusal } from "./refusal.ts";
import { dropEntries } from "./remove-worktree.ts";
import { isFree } from "./worktree-folder.ts";

interface Place {
  wanted: string;
  entries: Entry[];
  isOver: (runId: string) => boolean;
}

/**
 * Frees the place of a new worktree, or refuses: what runs that are over left is set aside, what nobody could miss is
 * dropped, and all else stays as it is. Gives the folders that are still to be deleted.
 */
export async function clearPlace(
  git: GitCalls,
  repository: Repository,
  { wanted, entries, isOver }: Place,
): Promise<string[]> {
  // All of it before anything is changed.
  refuseOccupied(repository, { wanted, entries, isOver });
  const rubbish: string[] = [];
  for (const entry of entries) {
    if (entry.recorded !== wanted && entry.folder !== wanted) continue;
    await tellPlace(git, entry);
    if ((entry.folder ?? wanted) === wanted) rubbish.push(...(await clearEntry(git, repository, entry)));
  }
  return rubbish;
}

/** Throws a Refusal when something in the place may not be put away. Reads only. */
export function refuseOccupied(repository: Repository, { wanted, entries, isOver }: Place): void {
  if (!isFree(wanted) && !entries.some(({ folder }) => folder === wanted)) {
    throw new Refusal(`${wanted} is not a worktree that git knows`, { way: "move it away" });
  }
  for (const entry of entries) {
    const isThere = entry.folder === wanted || (entry.folder === undefined && entry.recorded === wanted);
    if (isThere) refuseKept(repository, entry, isOver);
  }
}

function refuseKept(repository: Repository, entry: Entry, isOver: (runId: string) => boolean): void {
  const { recorded, folder } = entry;
  const worktree = worktreeEntry(repository, entry);
  if (userLock(entry) !== undefined) {
    throw new Refusal(`the worktree ${folder ?? recorded} is locked`, { way: "git worktree unlock it" });
  }
  if (!worktree && folder !== undefined) {
    throw new Refusal(`${folder} is a worktree that no run made`, { way: "git worktree move it" });
  }
  const run = worktree?.run ?? "";
  if (!worktree || isOver(run)) return;
  throw new Refusal(`${folder ?? recorded} is the worktree of run ${run}, which is not over`, {
    way: `clew run show ${run} tells where it stands`,
  });
}

async function clearEntry(git: GitCalls, repository: Repository, entry: Entry): Promise<string[]> {
  const { folder } = entry;
  const worktree = worktreeEntry(repository, entry);
  if (!worktree) {
    forget(entry);
    return [];
  }
  if (folder === undefined || isUnfinished(entry)) return dropEntries(git, repository, [entry]);
  await movePlace(git, { ...entry, folder, recorded: folder }, asidePlace(folder, worktree.run ?? ""));
  return [];
}

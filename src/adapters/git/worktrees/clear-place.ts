import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import type { Entry } from "./entries.ts";
import { isUnfinished, knownWorktree, userLock } from "./known-worktrees.ts";
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
  if (!isFree(wanted) && !entries.some(({ folder }) => folder === wanted)) {
    throw new Refusal(`${wanted} is not a worktree that git knows: move it away`);
  }
  const rubbish: string[] = [];
  for (const entry of entries) {
    if (entry.recorded !== wanted && entry.folder !== wanted) continue;
    await tellPlace(git, entry);
    if ((entry.folder ?? wanted) === wanted) rubbish.push(...(await clearEntry(git, repository, entry, isOver)));
  }
  return rubbish;
}

async function clearEntry(
  git: GitCalls,
  repository: Repository,
  entry: Entry,
  isOver: (runId: string) => boolean,
): Promise<string[]> {
  const { recorded, folder } = entry;
  const worktree = knownWorktree(repository, entry);
  if (userLock(entry) !== undefined)
    throw new Refusal(`the worktree ${folder ?? recorded} is locked: git worktree unlock it`);
  if (!worktree) {
    if (folder !== undefined) throw new Refusal(`${folder} is a worktree that no run made: git worktree move it`);
    forget(entry);
    return [];
  }
  const run = worktree.run ?? "";
  if (!isOver(run)) throw new Refusal(`${folder ?? recorded} is the worktree of run ${run}, which is not over`);
  if (folder === undefined || isUnfinished(entry)) return dropEntries(git, repository, [entry]);
  await movePlace(git, { ...entry, folder, recorded: folder }, asidePlace(folder, run));
  return [];
}

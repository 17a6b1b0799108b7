import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { readEntries } from "./git-worktree-entries.ts";
import type { WithLock } from "../locks-of-git.ts";
import { moveWorktree, recordPlace } from "./move-worktree.ts";
import { worktreePaths } from "../../layout/worktree-paths.ts";

/**
 * Moves a run's worktree from `.worktrees/BEAD` to `.worktrees/BEAD.RUN`, so that the bead's place is free. Returns where
 * it is now; undefined when there is none. Can be repeated, also after it was cut off.
 */
export function setAside(
  git: GitCalls,
  repository: Repository,
  runId: string,
  withLock: WithLock,
): Promise<string | undefined> {
  return withLock(async () => {
    const entry = (await readEntries(git, repository)).find(({ note }) => note?.run === runId);
    if (entry?.note === undefined || entry.folder === undefined) return undefined;
    const { folder, note } = entry;
    await recordPlace(git, entry);
    if (folder !== worktreePaths.of(repository.root, note.bead)) return folder;
    return moveWorktree(git, { ...entry, folder, recordedFolder: folder }, worktreePaths.aside(folder, runId));
  });
}

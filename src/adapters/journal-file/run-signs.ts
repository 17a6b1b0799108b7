import type { Disk } from "../files/disk.ts";
import { lockPath, paths, type Layout } from "../layout.ts";
import { claimPaths, runFolders, runPaths, workStatePath } from "../layout/run-paths.ts";
import { bootName } from "../system/system.ts";
import type { ClaimedRuns } from "./claimed-runs.ts";

/** What the names of files tell of runs. All that reads runs takes long to load, and many a command needs none of it. */
export function runSigns(disk: Disk, layout: Layout) {
  const folders = runFolders(layout.home);
  const exists = (path: string | undefined): boolean => path !== undefined && disk.stamp(path) !== undefined;
  const hasFiles = (folder: string): boolean => disk.list(folder).length > 0;
  return {
    /** Whether there was ever a run. */
    hasRuns: () => exists(folders.journals),
    isRun: (id: string) => exists(runPaths.journal(folders, id)),
    /** Whether `clew work` has ever driven this session. */
    isWork: (session: string) =>
      exists(workStatePath(paths.workStates(layout), session)) || exists(lockPath(paths.workLocks(layout), session)),
    /** Whether a talk was ever led in this session. */
    isTalk: (session: string) =>
      exists(lockPath(paths.talkLocks(layout), session)) || exists(workStatePath(paths.talkStates(layout), session)),
    hasClaims: () => hasFiles(paths.claims(layout)),
    isClaimed: (bead: string) => claimPaths(paths.claims(layout), bead).some(exists),
    /** Whether the scheduler could not start some bead. */
    hasRefused: () => hasFiles(paths.refused(layout)),
    /** Runs that hold a bead; what reads them is loaded only where there are claims. */
    claimedRuns: async (): Promise<ClaimedRuns> => {
      if (!hasFiles(paths.claims(layout))) return { all: () => [], pendingSignal: () => undefined };
      return (await import("./claimed-runs.ts")).claimedRuns(disk, layout, bootName());
    },
  };
}

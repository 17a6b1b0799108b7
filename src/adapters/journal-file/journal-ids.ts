import type { Disk } from "../files/disk.ts";
import { runPaths, type RunFolders } from "../layout/run-paths.ts";

/** A folder that changed so short a time before it was read may have changed again without another time. */
const settledMs = 1_000;

/** The runs that have a journal. The folder is read again only when it changed. */
export function journalIds(disk: Disk, { journals }: Pick<RunFolders, "journals">): () => readonly string[] {
  let known: { mtimeNs: string; ino: string; ids: string[] } | undefined;
  return () => {
    const stamp = disk.stamp(journals);
    if (known && stamp && known.ino === stamp.ino && known.mtimeNs === stamp.mtimeNs) return known.ids;
    const ids = disk.list(journals).flatMap((name) => runPaths.idOfJournal(name) ?? []);
    const isSettled = stamp !== undefined && Date.now() - Number(stamp.mtimeNs) / 1e6 > settledMs;
    known = isSettled ? { ino: stamp.ino, mtimeNs: stamp.mtimeNs, ids } : undefined;
    return ids;
  };
}

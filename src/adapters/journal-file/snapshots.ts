import { runDigest, type RunDigest } from "../../contract/run-digest.ts";
import { runSnapshot, type RunSnapshot } from "../../contract/run-snapshot.ts";
import { recentRunMs } from "../../contract/run.ts";
import type { RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";
import { readJson } from "../files/read-json.ts";
import { runPaths, type RunFolders } from "../layout/run-paths.ts";

const newline = 0x0a;

export type Snapshots = ReturnType<typeof runSnapshots>;

/** The state of each run, in small files beside its journal. Projections: a lost or wrong one is made again. */
export function runSnapshots(disk: Disk, folders: RunFolders) {
  const pathOf = (runId: string): string => runPaths.snapshot(folders, runId);
  const digestPath = (runId: string): string => runPaths.digest(folders, runId);
  const readFile = (runId: string): RunSnapshot | undefined =>
    readJson(disk, pathOf(runId), (value) => runSnapshot.parse(value));

  function write(path: string, value: RunSnapshot | RunDigest): void {
    disk.makeFolder(folders.snapshots);
    disk.replaceUnsynced(path, Buffer.from(`${JSON.stringify(value)}\n`));
  }

  function fitsJournal({ id, journal_bytes }: Pick<RunSnapshot, "id" | "journal_bytes">, runId: string): boolean {
    const path = runPaths.journal(folders, runId);
    const size = disk.stamp(path)?.size ?? 0;
    if (id !== runId || journal_bytes > size) return false;
    // A journal only grows: a snapshot that reaches to its end needs no further check.
    if (journal_bytes === size) return true;
    return disk.readRange(path, journal_bytes - 1, journal_bytes)[0] === newline;
  }

  /** Undefined unless the snapshot reaches to the journal's end, or to the end of a line in it. */
  function read(runId: string): RunSnapshot | undefined {
    const snapshot = readFile(runId);
    return snapshot && fitsJournal(snapshot, runId) ? snapshot : undefined;
  }

  return {
    read,

    /** The same for a digest, which counts only beside a snapshot that does. */
    readDigest(runId: string): RunDigest | undefined {
      const digest = readJson(disk, digestPath(runId), (value) => runDigest.parse(value));
      return digest && fitsJournal(digest, runId) && read(runId) ? digest : undefined;
    },

    write(state: RunState, journalBytes: number): void {
      write(pathOf(state.id), { ...state, journal_bytes: journalBytes });
    },

    writeDigest(digest: Omit<RunDigest, "journal_bytes">, journalBytes: number): void {
      write(digestPath(digest.id), { ...digest, journal_bytes: journalBytes });
    },

    /** Removes the files of runs that are not recent any more; their journals stay. */
    removeOld(nowMs: number): void {
      for (const name of disk.list(folders.snapshots)) {
        const id = runPaths.idOfSnapshot(name);
        if (id === undefined) continue;
        const writtenMs = Number(disk.stamp(pathOf(id))?.mtimeNs ?? "0") / 1e6;
        if (nowMs - writtenMs < recentRunMs) continue;
        const ended = readFile(id)?.ended;
        if (ended == null || nowMs - Date.parse(ended) < recentRunMs) continue;
        disk.remove(pathOf(id));
        disk.remove(digestPath(id));
      }
    },
  };
}

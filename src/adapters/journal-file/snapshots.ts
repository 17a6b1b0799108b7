import { join } from "node:path";
import { runDigest, type RunDigest } from "../../contract/run-digest.ts";
import { runSnapshot, type RunSnapshot } from "../../contract/run-snapshot.ts";
import type { RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";
import { runPaths, type RunFolders } from "../layout.ts";

const newline = 0x0a;

/** The snapshot of a run that ended is kept this long; its journal stays. */
const retentionMs = 7 * 24 * 3_600_000;

/** What each run has come to, in small files beside its journal. Projections: what is lost or wrong is made again. */
export class Snapshots {
  readonly #disk: Disk;
  readonly #folders: RunFolders;

  constructor(disk: Disk, folders: RunFolders) {
    this.#disk = disk;
    this.#folders = folders;
  }

  write(state: RunState, journalBytes: number): void {
    const snapshot: RunSnapshot = { ...state, journal_bytes: journalBytes };
    this.#write(this.#path(state.id), snapshot);
  }

  writeDigest(digest: Omit<RunDigest, "journal_bytes">, journalBytes: number): void {
    this.#write(this.#digestPath(digest.id), { ...digest, journal_bytes: journalBytes } satisfies RunDigest);
  }

  /** A snapshot counts when it reaches to the journal's end, or the journal has a line's end where it says that it stopped. */
  read(runId: string): RunSnapshot | undefined {
    const snapshot = this.#parsed(this.#path(runId), (value) => runSnapshot.parse(value));
    return snapshot && this.#fits(snapshot, runId) ? snapshot : undefined;
  }

  /** The same for a digest, which counts only beside a snapshot that does. */
  readDigest(runId: string): RunDigest | undefined {
    const digest = this.#parsed(this.#digestPath(runId), (value) => runDigest.parse(value));
    return digest && this.#fits(digest, runId) && this.read(runId) ? digest : undefined;
  }

  /** Removes those of runs that ended long ago. */
  removeOld(nowMs: number): void {
    for (const name of this.#disk.list(this.#folders.snapshots)) {
      if (!name.endsWith(".json") || name.startsWith(".")) continue;
      const id = name.slice(0, -".json".length);
      const writtenMs = Number(this.#disk.stamp(this.#path(id))?.mtimeNs ?? "0") / 1e6;
      if (nowMs - writtenMs < retentionMs) continue;
      const ended = this.#parsed(this.#path(id), (value) => runSnapshot.parse(value))?.ended;
      if (ended == null || nowMs - Date.parse(ended) < retentionMs) continue;
      this.#disk.remove(this.#path(id));
      this.#disk.remove(this.#digestPath(id));
    }
  }

  #fits({ id, journal_bytes }: Pick<RunSnapshot, "id" | "journal_bytes">, runId: string): boolean {
    const path = runPaths.journal(this.#folders, runId);
    const size = this.#disk.stamp(path)?.size ?? 0;
    if (id !== runId || journal_bytes > size) return false;
    // A journal only grows: what reaches to its end needs no look into it.
    if (journal_bytes === size) return true;
    return this.#disk.readRange(path, journal_bytes - 1, journal_bytes)[0] === newline;
  }

  #write(path: string, value: unknown): void {
    this.#disk.makeFolder(this.#folders.snapshots);
    this.#disk.replaceUnsynced(path, Buffer.from(`${JSON.stringify(value)}\n`));
  }

  #parsed<T>(path: string, parse: (value: unknown) => T): T | undefined {
    try {
      return parse(JSON.parse(this.#disk.read(path)?.toString("utf8") ?? ""));
    } catch {
      return undefined;
    }
  }

  #path(runId: string): string {
    return join(this.#folders.snapshots, `${runId}.json`);
  }

  #digestPath(runId: string): string {
    return join(this.#folders.snapshots, `${runId}.digest`);
  }
}

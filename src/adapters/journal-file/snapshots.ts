import { join } from "node:path";
import { runSnapshot, type RunSnapshot } from "../../contract/run-journal.ts";
import type { RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";

/** What each run has come to, in a small file beside its journal. A projection: what is lost or wrong is made again. */
export class Snapshots {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  write(state: RunState, journalBytes: number): void {
    this.#disk.makeFolder(this.#folder);
    const snapshot: RunSnapshot = { ...state, journal_bytes: journalBytes };
    this.#disk.replaceUnsynced(this.#path(state.id), Buffer.from(`${JSON.stringify(snapshot)}\n`));
  }

  read(runId: string): RunSnapshot | undefined {
    try {
      return runSnapshot.parse(JSON.parse(this.#disk.read(this.#path(runId))?.toString("utf8") ?? ""));
    } catch {
      return undefined;
    }
  }

  ids(): string[] {
    return this.#disk
      .list(this.#folder)
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .map((name) => name.slice(0, -".json".length));
  }

  remove(runId: string): void {
    this.#disk.remove(this.#path(runId));
  }

  #path(runId: string): string {
    return join(this.#folder, `${runId}.json`);
  }
}

import { join } from "node:path";
import { signalFile, type SignalFile } from "../../contract/run-journal.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";

/** What people say to runs, one synced file each, until the run's driver has taken it into the journal. */
export class SignalFiles {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  put(runId: string, signal: Redacted<SignalFile>): void {
    this.#disk.makeFolder(this.#folder);
    this.#disk.replace(this.#path(runId, signal.id), Buffer.from(`${JSON.stringify(signal)}\n`), 0o600);
  }

  /** Those for one run, oldest first. A file that cannot be read is no signal. */
  list(runId: string): SignalFile[] {
    return this.#disk
      .list(this.#folder)
      .filter((name) => name.startsWith(`${runId}.`) && name.endsWith(".json"))
      .flatMap((name) => read(this.#disk, join(this.#folder, name)) ?? [])
      .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
  }

  remove(runId: string, id: string): void {
    this.#disk.remove(this.#path(runId, id));
  }

  /** Ids have no dot, so that one run's files are never another's. */
  #path(runId: string, id: string): string {
    return join(this.#folder, `${runId}.${id}.json`);
  }
}

function read(disk: Disk, path: string): SignalFile | undefined {
  try {
    return signalFile.parse(JSON.parse(disk.read(path)?.toString("utf8") ?? ""));
  } catch {
    return undefined;
  }
}

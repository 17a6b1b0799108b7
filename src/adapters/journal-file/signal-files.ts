import { join } from "node:path";
import { signalFile, type SignalFile } from "../../contract/run-journal.ts";
import { assumeRedacted, type Redacted } from "../../contract/redacted.ts";
import type { Disk } from "../files/disk.ts";
import { readJson } from "../files/read-json.ts";
import { runPaths } from "../layout/run-paths.ts";

export type SignalFiles = ReturnType<typeof signalFiles>;

/** Signals to runs, one synced file each, until the run's driver has written them into the journal. */
export function signalFiles(disk: Disk, folder: string) {
  const pathOf = (runId: string, id: string): string => runPaths.signal(folder, runId, id);
  return {
    put(runId: string, signal: Redacted<SignalFile>): void {
      disk.makeFolder(folder);
      disk.replace(pathOf(runId, signal.id), Buffer.from(`${JSON.stringify(signal)}\n`), 0o600);
    },

    /** Those of one run, oldest first. A file that cannot be read is no signal. `put` wrote them, redacted. */
    list: (runId: string): Redacted<SignalFile>[] =>
      disk
        .list(folder)
        .filter((name) => runPaths.isSignalOf(name, runId))
        .flatMap((name) => readJson(disk, join(folder, name), (value) => assumeRedacted(signalFile.parse(value))) ?? [])
        .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1)),

    remove(runId: string, id: string): void {
      disk.remove(pathOf(runId, id));
    },
  };
}

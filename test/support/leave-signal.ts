import { assumeRedacted } from "../../src/contract/redacted.ts";
import { join } from "node:path";
import { nodeDisk } from "../../src/adapters/files/node-disk.ts";
import { signalFiles } from "../../src/adapters/journal-file/signal-files.ts";
import type { Signal } from "../../src/contract/run.ts";
import type { Repo } from "./repo.ts";
import { showRun } from "./runs.ts";

/** A person's word to a run, as a command leaves it that is killed before it can go on with the run. */
export async function leaveSignal(repo: Repo, signal: Signal, name?: string): Promise<void> {
  const { id, current } = await showRun(repo, name);
  const at = new Date().toISOString();
  signalFiles(nodeDisk, join(repo.home, "signals")).put(id, assumeRedacted({ id: "left", at, signal, to: current }));
}

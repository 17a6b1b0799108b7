import type { RunStore } from "../../app/run/ports.ts";
import type { Landing, Verification } from "../../contract/run.ts";
import { JournalIndex, type ProcessLine } from "./journal-index.ts";

/** What a run that nobody drives was in the middle of. */
export interface OpenWork {
  /** Processes of steps that did not come to their end. */
  processes: ProcessLine[];
  /** The merge that was being landed. */
  landing: Landing | undefined;
  /** The merged tree that stands in its worktree. */
  verification: Verification | undefined;
}

export function openWork(store: RunStore, runId: string): OpenWork {
  const index = new JournalIndex();
  for (const { line } of store.lines(runId)) {
    // Only what is open is asked for, so that it does not matter where the lines stand.
    index.add(line, { offset: 0, bytes: 0 });
  }
  const { openProcesses: processes, landings, verification } = index;
  return { processes, landing: landings.all()[0], verification: verification.current };
}

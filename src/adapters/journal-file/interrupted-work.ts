import type { RunStore } from "../../app/run/ports.ts";
import type { Landing, Verification } from "../../contract/run.ts";
import { JournalIndex, type ProcessLine } from "./journal-index.ts";

/** What a run without a driver was in the middle of. */
export interface InterruptedWork {
  /** Processes of steps that were not completed. */
  processes: ProcessLine[];
  /** The merge that was being landed. */
  landing: Landing | undefined;
  /** The merged tree that is in its worktree. */
  verification: Verification | undefined;
}

export function interruptedWork(store: RunStore, runId: string): InterruptedWork {
  const index = new JournalIndex();
  for (const { line } of store.lines(runId)) {
    // The places of the lines do not matter for open work.
    index.add(line, { offset: 0, bytes: 0 });
  }
  const { openProcesses: processes, landings, verification } = index;
  return { processes, landing: landings.all()[0], verification: verification.current };
}

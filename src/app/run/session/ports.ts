import type { JournalLine } from "../../../contract/run-journal.ts";

/** The sessions of runs: each projected from its run's journal. */
export interface RunSessions {
  /** Whether any session has that name. */
  isTaken(id: string): boolean;
  /** Makes the session of a new run, so that all of its steps can be told of it. Never throws. */
  begin(runId: string): Promise<void>;
  of(runId: string): RunSession;
  /** The session of a run, by its usual name; undefined while there is none. */
  idOf(runId: string): string | undefined;
}

/** Follows one run. */
export interface RunSession {
  /** A line was written to the journal. Returns at once; what is made of it is written soon. */
  add(line: JournalLine): void;
  /** All that was added stands in the session when this resolves. Never throws: a run does not fail for its record. */
  close(): Promise<void>;
}

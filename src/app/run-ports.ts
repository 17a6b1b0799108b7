import type { JournalLine, RunSnapshot } from "../contract/run-journal.ts";

/** The runs of a repository, for whoever looks at them. */
export interface RunStore {
  /** Ids of all runs, in no order. */
  ids(): string[];
  /** Those that are not over, and those that ended lately. */
  recentIds(): string[];
  exists(runId: string): boolean;
  /** What a run has come to; the journal decides where the snapshot disagrees. */
  state(runId: string): RunSnapshot;
  /** Whether the run ended, by a look at the end of its journal. */
  hasEnded(runId: string): boolean;
  /** When the journal was last written to, in milliseconds since 1970. */
  touchedMs(runId: string): number;
  /** Whether some process drives it now. */
  isDriven(runId: string): boolean;
  /** Lines from a place in the journal on, each with the place behind it. */
  lines(runId: string, from?: number): Iterable<{ line: JournalLine; end: number }>;
  /** How long the journal is, in bytes. */
  size(runId: string): number;
  /** Where the journal stands. */
  path(runId: string): string;
  /** Forgets what can be made again of a run that ended. */
  dropState(runId: string): void;
}

/** Which run works on which bead: one at most, also between processes. */
export interface Claims {
  /**
   * Gives the run that holds the bead, or lets `start` make one that does. Only one process at a time is in here for
   * all beads; `isOpen` tells whether a run still holds its bead, `find` looks through all runs.
   */
  claim(beadId: string, asks: ClaimQuestions): Promise<{ runId: string; isNew: boolean }>;
  /** The run has ended. */
  release(beadId: string, runId: string): Promise<void>;
}

export interface ClaimQuestions {
  isOpen: (runId: string) => boolean;
  find: () => string | undefined;
  start: () => Promise<string>;
}

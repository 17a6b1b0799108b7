import type { Redacted } from "../contract/redacted.ts";
import type { RunStatus, Signal, StepAddress } from "../contract/run.ts";
import type { PinnedRun } from "../contract/pinned-run.ts";
import type { SignalOrigin } from "../contract/run-fields.ts";
import type { JournalLine } from "../contract/run-journal.ts";
import type { Handlers } from "./handlers.ts";

/** Where runs live: one implementation on files, one on a database. `test/conformance/` holds all of them to the same. */
export interface RunHost {
  /** Begins a run; it is kept, as it is given, when this returns. A taken id gets `-2`, `-3`… */
  start(wantedId: string, pinned: Redacted<PinnedRun>): Promise<string>;
  /** Goes on with a run until it ends, waits for a person or is interrupted. At most one process drives a run. */
  drive(runId: string, options: DriveOptions): Promise<DriveEnd>;
  /** Keeps what a person said, for the driver of the run. `to` is the wait it answers; null for a cancel. */
  signal(runId: string, signal: Signal, to: StepAddress | null, by?: SignalOrigin): Promise<void>;
}

export interface DriveOptions {
  handlers: Handlers;
  /** Ends the work at hand, which is done again when the run goes on. A StoppedByPerson as its reason is kept. */
  signal?: AbortSignal;
  /** Told of every line, once it is written. */
  onLine?: (line: JournalLine) => void;
}

export type DriveEnd =
  /** It ended, or waits for a person. */
  | { kind: "stopped"; status: Exclude<RunStatus, "running"> }
  | { kind: "interrupted" }
  /** Another process drives it. */
  | { kind: "busy" };

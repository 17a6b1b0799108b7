import type { Redacted } from "../../../src/contract/redacted.ts";
import type { JournalLine, HandlerNote } from "../../../src/contract/run-journal.ts";
import type {
  Landing,
  Signal,
  StepAddress,
  StepResult,
  StepWork,
  StoppedByPerson,
  Verification,
} from "../../../src/contract/run.ts";
import type { PinnedRun } from "../../../src/contract/pinned-run.ts";
import type { SignalOrigin } from "../../../src/contract/run-fields.ts";

/** What a test asks of a process that hosts runs. */
export type Question =
  | { what: "start"; wantedId: string; pinned: Redacted<PinnedRun> }
  | { what: "signal"; runId: string; signal: Signal; to: StepAddress | null; by?: SignalOrigin | undefined }
  | { what: "drive"; runId: string }
  | { what: "attend" }
  | { what: "journal"; runId: string | null };

/** Numbers tell which question, or which task, a message belongs to. */
export type ToWorker =
  | { ask: number; question: Question }
  /** `stopped`: a person wanted it, for this reason. */
  | { interrupt: number; stopped?: StoppedByPerson["reason"] }
  | { note: HandlerNote; task: number; now?: number }
  | { done: number; result: StepResult }
  | { done: number; fault: Fault };

export type FromWorker =
  | { ready: true }
  | { answer: number; value: unknown }
  | { answer: number; fault: Fault }
  /** A handler is called, in a drive that was asked for. */
  | {
      task: number;
      drive: number;
      runId: string;
      pinned: Redacted<PinnedRun>;
      work: StepWork;
      landing: Landing | undefined;
      verification: Verification | undefined;
    }
  | { abort: number; reason: unknown }
  /** A note that had to be on disk is. */
  | { noted: number }
  | { line: JournalLine; drive: number };

export interface Fault {
  message: string;
  code?: string;
}

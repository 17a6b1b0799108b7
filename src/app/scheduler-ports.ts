import type { Bead } from "../contract/bead.ts";
import type { JournalLine } from "../contract/run-journal.ts";
import type { RunStatus } from "../contract/run.ts";
import type { RefusedBeads } from "./refused-beads.ts";
import type { UnreadableRun } from "./run-reading.ts";

/** What the scheduler needs of everything around it. */
export interface SchedulerParts {
  /** How many runs may be driven at once, by whomever. */
  limit: number;
  /** Beads that can be worked on, by priority, then age. */
  ready: () => Bead[] | Promise<Bead[]>;
  runs: ScheduledRuns;
  /** What could not be started, for the inbox. */
  refused: RefusedBeads;
  /** Another text as soon as something is changed that decides whether a bead can be started: grimoires, spells, settings, git. */
  surroundings: () => string;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  /** Returns when the time has passed, or `sooner` resolves. */
  pause: (ms: number, sooner: Promise<void>) => Promise<void>;
  /** Makes this process the only scheduler of the repository, or throws. Returns how to let go. */
  hold: () => () => void;
}

/** Runs as the scheduler sees and drives them. */
export interface ScheduledRuns {
  look(): SeenRuns;
  /** Starts a run on a bead, or gives the one that works on it already. */
  start(beadId: string): Promise<{ runId: string; isNew: boolean }>;
  /** Goes on with a run. Throws when the driver itself fails; a step that fails is an end like another. */
  drive(runId: string, options: DriveRunOptions): Promise<DrivenEnd>;
}

export interface DriveRunOptions {
  from: "beginning" | "now";
  signal: AbortSignal;
  onLine: (line: JournalLine) => void;
}

export interface SeenRuns {
  /** Those that are not over. */
  open: OpenRun[];
  /** Those that ended since the look before, whoever drove them. */
  ended: EndedRun[];
  unreadable: UnreadableRun[];
}

export interface EndedRun {
  bead_id: string;
  /** ISO 8601. */
  ended: string;
  status: "completed" | "cancelled";
}

export type OpenStatus = Exclude<RunStatus, "completed" | "cancelled"> | "interrupted";

export interface OpenRun {
  id: string;
  bead_id: string;
  status: OpenStatus;
  started: string;
  /** A person stopped it, and has to go on with it: nobody else does. */
  isStopped: boolean;
  /** What a person said last and nobody has taken up yet; null when there is nothing. */
  word: string | null;
}

export type DrivenEnd =
  | { kind: "rests"; status: Exclude<RunStatus, "running">; message: string | null; actions: string[] }
  | { kind: "interrupted" }
  /** Another process was faster. */
  | { kind: "elsewhere" };

interface Named {
  bead_id: string;
  run_id: string;
}

/** What the scheduler tells, beside the lines of the runs that it drives. */
export type SchedulerEvent =
  | {
      type: "scheduler.opened";
      limit: number;
      /** Beads that are ready, runs to be taken up, runs that other processes drive. */
      ready: number;
      to_resume: number;
      driven_elsewhere: number;
    }
  | ({ type: "scheduler.started"; title: string } & Named)
  | ({ type: "scheduler.resumed"; was: OpenStatus } & Named)
  | ({
      type: "scheduler.rested";
      status: Exclude<RunStatus, "running">;
      message: string | null;
      /** What a person can do now, as commands. */
      actions: string[];
    } & Named)
  | ({ type: "scheduler.interrupted" } & Named)
  | {
      type: "scheduler.backed_off";
      bead_id: string;
      /** Null when there is no run yet. */
      run_id: string | null;
      message: string;
      hint: string | null;
      failures: number;
      wait_ms: number;
    }
  /** The bead is ready, yet nobody wants another run of it before it changes. */
  | { type: "scheduler.left"; bead_id: string; because: EndedRun["status"] }
  /** Beads or runs cannot be read; it is tried again and again. */
  | { type: "scheduler.trouble"; message: string; hint: string | null }
  | ({ type: "scheduler.idle" } & Standing)
  | { type: "scheduler.stopping"; driven: number }
  | ({ type: "scheduler.closed" } & Standing);

/** What is left, and whom it waits for. */
export interface Standing {
  blocked: number;
  failed: number;
  pending_merge: number;
  interrupted: number;
  /** Of those: stopped by a person, who has to go on with them. */
  stopped: number;
  /** Beads and runs that could not be begun or gone on with, and are tried again later. */
  backed_off: number;
}

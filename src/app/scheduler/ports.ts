import type { UnreadableRun } from "../../contract/api/run.ts";
import type { Bead } from "../../contract/bead.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { EndedRun } from "../../contract/run-snapshot.ts";
import type { RunStatus } from "../../contract/run.ts";
import type { Changes } from "../daemon/process-ports.ts";
import type { RefusedBeads } from "./refused-beads.ts";

/** What the scheduler needs of everything around it. */
export interface SchedulerParts {
  /** How many runs may be driven at once, by all processes together. */
  limit: number;
  /** Beads that can be worked on, by priority, then age. */
  ready: () => Bead[] | Promise<Bead[]>;
  runs: ScheduledRuns;
  /** What could not be started, for the inbox. */
  refused: RefusedBeads;
  /** Another text as soon as something is changed that decides whether a bead can be started: grimoires, spells, settings, git. */
  surroundings: () => string;
  time: SchedulerTime;
  /** Changes of beads, runs and what is left for them, while a scheduler is at work. */
  changes: () => Changes;
  /** Makes this process the only scheduler of the repository, or throws. Returns how to let go. */
  hold: () => () => void;
}

export interface SchedulerTime {
  /** A clock that never jumps. */
  elapsedMs: () => number;
  nowMs: () => number;
  /** Returns when the time has passed, or `sooner` resolves. */
  pause: (ms: number, sooner: Promise<void>) => Promise<void>;
}

/** Runs as the scheduler sees and drives them. */
export interface ScheduledRuns {
  look(): RunsNow;
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

export interface RunsNow {
  /** Those that are not over. */
  open: OpenRun[];
  /** Those that ended since the look before, in any process. */
  ended: EndedWork[];
  unreadable: UnreadableRun[];
}

/** A run that is over, and what became of its bead's work. */
export type EndedWork = Pick<EndedRun, "bead_id" | "ended" | "status">;

export type OpenStatus = Exclude<RunStatus, "completed" | "cancelled"> | "interrupted";

export interface OpenRun {
  id: string;
  bead_id: string;
  status: OpenStatus;
  started: string;
  /** A person stopped it, and only a person goes on with it. */
  isStopped: boolean;
  /** A connected agent works on its steps, and goes on with it. */
  isConnected?: boolean;
  /** Its agent waits for a permission, and does no work meanwhile. */
  isAsking: boolean;
  /** The last signal that no driver has taken up yet; null when there is none. */
  pendingSignalId: string | null;
}

export type DrivenEnd =
  | { kind: "stopped"; status: Exclude<RunStatus, "running">; message: string | null; actions: string[] }
  | { kind: "interrupted" }
  /** Another process was faster. */
  | { kind: "elsewhere" };

import type { Redacted } from "../../contract/redacted.ts";
import type { WorkState } from "../../contract/work-state.ts";

/** Which work session holds which bead. A bead is held by one run or one work session at most, also between processes. */
export interface WorkClaims {
  /** The session that holds the bead and is not over; `before` is the status that the bead had before the claim. */
  holder(bead: string): WorkClaim | undefined;
  /** All beads that are held so. */
  held(): ReadonlySet<string>;
  /** Claims the bead. Only one process at a time is in here for all beads. */
  claim(bead: string, asks: WorkClaimQuestions): Promise<WorkClaim>;
  release(bead: string, session: string): Promise<void>;
}

export interface WorkClaim {
  session: string;
  before: string;
}

export interface WorkClaimQuestions {
  /** Throws when the bead cannot be claimed; `holder` is the session that holds it now. Nothing is written yet. */
  refuse: (holder: string | undefined) => void | Promise<void>;
  /** Makes the session, or gives the one that goes on. */
  start: (holder: string | undefined) => Promise<string>;
  /** The bead's status. */
  statusNow: () => string;
  /** Makes the claim known where more than its file tells of it; see `BeadPlace.claim`. */
  take: (note: (mark: string) => void) => Promise<void>;
}

/** What is known of work sessions beside their record, one file each. */
export interface WorkStates {
  /** Whether the session is a work session of `clew work`. */
  exists(session: string): boolean;
  /** Undefined when there is none, or when it cannot be read. */
  read(session: string): WorkState | undefined;
  /** On disk when it returns. */
  write(session: string, state: Redacted<WorkState>): void;
  /** Changes it; one process at a time. Throws when there is none. */
  change(session: string, work: (state: WorkState) => WorkState | Promise<WorkState>): Promise<WorkState>;
}

/** One driver for each work session. */
export interface WorkDrivers {
  /** Returns how to let go; undefined when another process drives it. Free as soon as its holder dies. */
  tryAcquire(session: string): (() => void) | undefined;
  isDriven(session: string): boolean;
}

import type { Redacted } from "../../contract/redacted.ts";
import type { WorkState } from "../../contract/work-state.ts";

/** Which work session holds which bead. A bead is held by one run or one work session at most, also between processes. */
export interface WorkClaims {
  /** The session that holds the bead and is not over; `before` is the status that the bead had before the claim. */
  holder(bead: string): WorkClaim | undefined;
  /** The session of each bead that is held so. */
  held(): ReadonlyMap<string, string>;
  /** Claims the bead. Only one process at a time is in here for all beads. */
  claim(bead: string, asks: WorkClaimQuestions): Promise<WorkClaim>;
  release(bead: string, session: string): Promise<void>;
  /** Lets go of all that a session claims; returns the beads. */
  releaseAll(session: string): Promise<string[]>;
  /** The claims of sessions that are over, or that there are not any more: a crash left them. */
  abandoned(): { bead: string; session: string }[];
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
  /** Undefined when there is none, or when it cannot be read. */
  read(session: string): WorkState | undefined;
  /** On disk when it returns. */
  write(session: string, state: Redacted<WorkState>): void;
  remove(session: string): void;
  /** Changes it; one process at a time. Throws when there is none. */
  change(session: string, work: (state: WorkState) => WorkState | Promise<WorkState>): Promise<WorkState>;
}

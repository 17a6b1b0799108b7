import type { Limits } from "../contract/limits.ts";
import type { Landing, StepResult, StepWork, Usage, WorkInput, WorkKind, Verification } from "../contract/run.ts";
import type { PinnedRun } from "../contract/pinned-run.ts";
import type { PermissionRequest } from "../contract/permission.ts";
import type { OptionKind } from "../contract/permission-values.ts";
import type { Redacted } from "../contract/redacted.ts";
import type { HandlerNote } from "../contract/run-journal.ts";

/** What a handler gets beside its work. */
export interface WorkContext {
  runId: string;
  pinned: PinnedRun;
  /** Aborted when the work must end: a time-out, a cancel, Ctrl-C. `reason` is an EndReason. */
  signal: AbortSignal;
  /** Streams to the run's log. Throws when it cannot be written: the work then has to end. */
  log: (note: HandlerNote) => void;
  /** Logs what must be on disk before the work goes on. */
  logNow: (note: HandlerNote) => Promise<void>;
  /** A landing of this merge that was cut off: its target's checkout may hold half of it. */
  landing: Landing | undefined;
  /** A verification that was cut off: the worktree may hold the merged tree, or half of it, and what a command left. */
  verification: Verification | undefined;
  /** What only agents need. */
  agent?: AgentContext;
}

export interface AgentContext {
  /** This very attempt was begun before, and cut off; with the engine's session in which its agent worked. */
  cutOff?: { engineSession?: string } | undefined;
  /** Absent where no answer can reach work that is under way: the work has to end, so that it can be answered. */
  permissions?: PermissionDesk;
  /** Absent where no signal can reach work that is under way. */
  handles?: HandleDesk;
  /** Absent where only a step is tried. */
  budget?: Budget;
}

/** Where the handle of an agent at work lies, so that a person's signals reach it. */
export interface HandleDesk {
  /** Returns how to take it back: the agent has ended. */
  open(handle: SteeredAgent): () => void;
}

/** What a person can do with an agent at work. */
export interface SteeredAgent {
  /** False while it is only starting: a message waits until then. */
  isReady(): boolean;
  /** Throws a ClewError when the agent does not take it. */
  send(text: string): void;
  stop(by: { user: string | undefined; kill: boolean }): void;
}

/** What the agents of a run may use, and what was used before this work. */
export interface Budget {
  limits: Limits;
  usage: Usage;
  rounds: number;
  /** Time that the run has been worked on. */
  runningMs(): number;
  /** Calls `work` when so much more time was worked; returns how to call it off. */
  after(ms: number, work: () => void): () => void;
}

/** Where an agent's requests wait for a person. While one is open, the clocks of step and run stand still. */
export interface PermissionDesk {
  /**
   * Logs a request. Throws as `log` does. `onAnswer` is called when a person has answered, once that is on disk; never after
   * the request was closed or the work has ended.
   */
  open(request: Redacted<PermissionRequest>, onAnswer: (option: OptionKind) => void): void;
  /** The request needs no answer any more. Does nothing when it is not open. Throws as `log` does. */
  close(id: string, reason: "withdrawn" | "unanswered"): void;
}

/** `limit`: the run has worked as long as it may. */
export type EndReason = "timeout" | "limit" | "cancelled" | "interrupted";

/**
 * Does the work of one kind of step. A failure of the work is a result, not an exception: it throws only for faults of
 * the host. When `signal` is aborted it ends all that it began and then settles, with whatever result.
 */
export type Handler<Input extends WorkInput> = (
  work: StepWork & { input: Input },
  context: WorkContext,
) => Promise<StepResult>;

export type Handlers = { [Kind in WorkKind]?: Handler<Extract<WorkInput, { kind: Kind }>> };

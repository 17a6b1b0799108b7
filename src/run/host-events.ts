import type { StoredResult } from "../contract/run-fields.ts";
import type { DistributiveOmit, HostLine, JournalLine, RunEvent, SignalFile } from "../contract/run-journal.ts";
import type { Preparation, StepAddress, StepResult, StepWork, Wait } from "../contract/run.ts";
import type { StepInput } from "../contract/step-input.ts";
import { wordsFor } from "../contract/permission-values.ts";
import { assumeRedacted, fromRedacted, ofRedactedParts, type Redacted } from "../contract/redacted.ts";
import { raisedLimit } from "../engine/limits.ts";
import type { RecordedEvent } from "./durable-port.ts";

/** The events that every host tells, but for their number and time, which the host gives. */

export type NewEvent = DistributiveOmit<RunEvent, "n" | "at">;
/** A line that is no event, without its time. */
export type NewLine = DistributiveOmit<Exclude<JournalLine, RunEvent>, "at">;

type CompletedEvent = Extract<NewEvent, { type: "workflow.step.completed" }>;

/** Puts a result into the form in which it is kept: long outputs may stand elsewhere. */
export type StoreResult = (result: Redacted<StepResult>) => Redacted<StoredResult>;

/** How a step ended that was begun; what it gave is redacted. */
export type StepEnd =
  | { kind: "done"; result: Redacted<StepResult> }
  | { kind: "timeout"; scope: StepAddress | null; given?: Redacted<StepResult> }
  | { kind: "cancelled" };

export function startedEvent(
  { path, attempt }: StepAddress,
  input: Redacted<StepInput>,
  running_ms: number,
): Redacted<NewEvent> {
  return ofRedactedParts({ type: "workflow.step.started", path, attempt, kind: input.kind, input, running_ms });
}

interface CompletionDetails {
  duration_ms: number;
  running_ms: number;
  /** What a step that was stopped had given by then: it was paid for, and a person may want to read it. */
  given?: Redacted<StepResult> | undefined;
}

export function completedEvent(
  { path, attempt }: StepWork,
  outcome: StepEnd,
  { duration_ms, running_ms, given }: CompletionDetails,
  keep: StoreResult,
): Redacted<CompletedEvent> {
  const base = { type: "workflow.step.completed", path, attempt, duration_ms, running_ms } as const;
  if (outcome.kind === "done" && outcome.result.permission) {
    return { ...base, status: "stopped", stopped: "permission", ...keep(outcome.result) };
  }
  if (outcome.kind === "done" && outcome.result.limit && !outcome.result.success) {
    return { ...base, status: "stopped", stopped: "limit", ...keep(outcome.result) };
  }
  if (outcome.kind === "done") return { ...base, status: statusOf(outcome.result), ...keep(outcome.result) };
  const kept = given ? { ...keep(given), success: false } : ofRedactedParts({});
  const stopped = { ...base, status: "stopped", ...kept } as const;
  if (outcome.kind === "cancelled") return { ...stopped, stopped: "cancelled" };
  return { ...stopped, stopped: "timeout", scope: outcome.scope };
}

/** What is written of a preparation; the fields are those of a step that came to its end. */
export function preparedLine(
  work: StepWork<Preparation>,
  outcome: StepEnd,
  details: CompletionDetails,
  keep: StoreResult,
): Redacted<PreparedLine> {
  return { ...completedEvent(work, outcome, details, keep), type: "step.prepared", kind: work.input.kind };
}

type PreparedLine = DistributiveOmit<Extract<HostLine, { type: "step.prepared" }>, "at">;

export function preparingLine(
  { path, attempt, input }: StepWork<Preparation>,
  running_ms: number,
): Redacted<PreparingLine> {
  return ofRedactedParts({ type: "step.preparing", path, attempt, kind: input.kind, running_ms });
}

type PreparingLine = DistributiveOmit<Extract<HostLine, { type: "step.preparing" }>, "at">;

/** `begunMs` is the running time at which the attempt at a loop began. */
export function eventWithoutWork(
  event: RecordedEvent,
  { running_ms, begunMs }: { running_ms: number; begunMs: (loop: StepAddress) => number },
  keep: StoreResult,
): Redacted<NewEvent> {
  const { path, attempt } = event;
  if (event.kind === "loop_started") {
    return ofRedactedParts({ type: "workflow.step.started", path, attempt, kind: "loop", running_ms });
  }
  if (event.kind === "merge_started") {
    return startedEvent(event, ofInterpreter({ kind: "merge", offer: event.offer }), running_ms);
  }
  const base = { type: "workflow.step.completed", path, attempt, running_ms } as const;
  if (event.kind === "skipped") return ofRedactedParts({ ...base, status: "skipped" });
  const duration_ms = event.kind === "completed" ? 0 : Math.max(0, running_ms - begunMs({ path, attempt }));
  return { ...base, status: statusOf(event.result), ...keep(ofInterpreter(event.result)), duration_ms };
}

export function waitingEvent(
  { path, attempt, status, reason, message, result, resultOf, merge, takesChanges, iterations }: Wait,
  { runId, worktree, running_ms }: { runId: string; worktree: string; running_ms: number },
  keep: StoreResult,
): Redacted<NewEvent> {
  const verdicts = ["diff", "approve", ...(takesChanges ? ["changes"] : []), "reject", "cancel"];
  const words = status === "pending_merge" ? verdicts : ["retry", "cancel"];
  const permission = reason === "permission" ? result?.permission : undefined;
  const limit = reason === "limit" ? result?.limit : undefined;
  const commandOf = (word: string): string => {
    // What an agent's file allows counts for each attempt: the next one may use as much again.
    const raised = limit && limit.agent === undefined ? ` ${raisedLimit(limit)}` : "";
    const more = word === "changes" ? " -m TEXT" : word === "retry" ? raised : "";
    return `clew run ${word} ${runId}${more}`;
  };
  const answers = permission ? wordsFor(permission).map((word) => `clew inbox answer ${permission.id} ${word}`) : [];
  return ofInterpreter({
    type: status === "pending_merge" ? "workflow.merge_pending" : `workflow.${status}`,
    path,
    attempt,
    blocked_reason: reason,
    message: limit
      ? `${message}; ${commandOf("retry")} goes on${limit.agent === undefined ? "" : " with as much again"}`
      : message,
    ...(result && { blocked_context: { ...keep(ofInterpreter(result)), ...(resultOf && { step: resultOf }) } }),
    ...(merge && { merge }),
    iteration_summaries: iterations,
    worktree,
    actions: [...answers, ...words.map(commandOf)],
    ...(takesChanges && { takes_changes: true }),
    running_ms,
  });
}

/** What is written of a signal when the run's driver gets it. */
export function signalLine(
  sent: Redacted<Omit<SignalFile, "at">>,
  taken: boolean,
  running_ms: number,
  refusal?: string,
): Redacted<SignalLine> {
  return fromRedacted(sent, ({ id, signal, to, by }) => {
    const why = refusal === undefined ? {} : { refusal };
    return { type: "run.signal", id, signal, to, taken, ...why, ...(by && { by }), running_ms };
  });
}

type SignalLine = DistributiveOmit<Extract<HostLine, { type: "run.signal" }>, "at">;

export function endEvent(
  end: "completed" | "cancelled",
  { running_ms, usage }: Pick<Extract<NewEvent, { type: "workflow.completed" }>, "running_ms" | "usage">,
): Redacted<NewEvent> {
  return ofRedactedParts({ type: `workflow.${end}`, running_ms, usage: ofRedactedParts(usage) });
}

/** The interpreter works on what the journal holds, so that what it says holds no secret. */
function ofInterpreter<T>(value: T): Redacted<T> {
  return assumeRedacted(value);
}

function statusOf({ success }: StepResult): "succeeded" | "failed" {
  return success ? "succeeded" : "failed";
}

import type { DistributiveOmit, HostLine, KeptResult, RunEvent } from "../contract/run-journal.ts";
import type { Outcome, Preparation, StepAddress, StepInput, StepResult, Task, Wait } from "../contract/run.ts";
import type { News } from "./durable-port.ts";

/** The events that every host tells, but for their number and time, which the host gives. */

export type NewEvent = DistributiveOmit<RunEvent, "n" | "at">;

type CompletedEvent = Extract<NewEvent, { type: "workflow.step.completed" }>;

/** Puts a result into the form in which it is kept: long outputs may stand elsewhere. */
export type Keep = (result: StepResult) => KeptResult;

export function startedEvent({ path, attempt }: StepAddress, input: StepInput, running_ms: number): NewEvent {
  return { type: "workflow.step.started", path, attempt, kind: input.kind, input, running_ms };
}

/** `given` is what a step that was stopped had given by then: it was paid for, and somebody may want to read it. */
export function completedEvent(
  { path, attempt }: Task,
  outcome: Exclude<Outcome, { kind: "skipped" }>,
  { duration_ms, running_ms, given }: { duration_ms: number; running_ms: number; given?: StepResult | undefined },
  keep: Keep,
): CompletedEvent {
  const base = { type: "workflow.step.completed", path, attempt, duration_ms, running_ms } as const;
  if (outcome.kind === "done") return { ...base, status: statusOf(outcome.result), ...keep(outcome.result) };
  const stopped = { ...base, status: "stopped", ...(given && { ...keep(given), success: false }) } as const;
  if (outcome.kind === "cancelled") return { ...stopped, stopped: "cancelled" };
  return { ...stopped, stopped: "timeout", scope: outcome.scope };
}

/** What is written of a preparation; the fields are those of a step that came to its end. */
export function preparedLine(
  task: Task<Preparation>,
  outcome: Exclude<Outcome, { kind: "skipped" }>,
  told: { duration_ms: number; running_ms: number; given?: StepResult | undefined },
  keep: Keep,
): PreparedLine {
  return { ...completedEvent(task, outcome, told, keep), type: "step.prepared", kind: task.input.kind };
}

type PreparedLine = DistributiveOmit<Extract<HostLine, { type: "step.prepared" }>, "at">;

export function preparingLine({ path, attempt, input }: Task<Preparation>, running_ms: number): PreparingLine {
  return { type: "step.preparing", path, attempt, kind: input.kind, running_ms };
}

type PreparingLine = DistributiveOmit<Extract<HostLine, { type: "step.preparing" }>, "at">;

/** `begunMs` is the running time at which the attempt at a loop began. */
export function newsEvent(
  news: News,
  { running_ms, begunMs }: { running_ms: number; begunMs: (loop: StepAddress) => number },
  keep: Keep,
): NewEvent {
  const { path, attempt } = news;
  if (news.kind === "loop_started") return { type: "workflow.step.started", path, attempt, kind: "loop", running_ms };
  if (news.kind === "merge_started") return startedEvent(news, { kind: "merge", offer: news.offer }, running_ms);
  const base = { type: "workflow.step.completed", path, attempt, running_ms } as const;
  if (news.kind === "skipped") return { ...base, status: "skipped" };
  const ended = { ...base, status: statusOf(news.result), ...keep(news.result) };
  if (news.kind === "completed") return { ...ended, duration_ms: 0 };
  return { ...ended, duration_ms: Math.max(0, running_ms - begunMs({ path, attempt })) };
}

export function waitingEvent(
  { path, attempt, status, reason, message, result, resultOf, merge, takesChanges, iterations }: Wait,
  { runId, worktree, running_ms }: { runId: string; worktree: string; running_ms: number },
  keep: Keep,
): NewEvent {
  const verdicts = ["diff", "approve", ...(takesChanges ? ["changes"] : []), "reject", "cancel"];
  const words = status === "pending_merge" ? verdicts : ["retry", "cancel"];
  return {
    type: status === "pending_merge" ? "workflow.merge_pending" : `workflow.${status}`,
    path,
    attempt,
    blocked_reason: reason,
    message,
    ...(result && { blocked_context: { ...keep(result), ...(resultOf && { step: resultOf }) } }),
    ...(merge && { merge }),
    iteration_summaries: iterations,
    worktree,
    actions: words.map((word) => `clew run ${word} ${runId}${word === "changes" ? " -m TEXT" : ""}`),
    ...(takesChanges && { takes_changes: true }),
    running_ms,
  };
}

function statusOf({ success }: StepResult): "succeeded" | "failed" {
  return success ? "succeeded" : "failed";
}

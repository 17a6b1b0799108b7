import type { RunDetails } from "../../contract/api/run.ts";
import type { FailedOutput, RunDigest, SignalRecord } from "../../contract/run-digest.ts";
import type { SignalFile } from "../../contract/run-journal.ts";
import type { StepAddress } from "../../contract/run.ts";
import { lastLines, OutputTail } from "../../run/output-tail.ts";
import { maxSignals } from "../../run/run-digest.ts";
import { outlineOf } from "../../run/outline.ts";
import { stepsToShow } from "../../run/run-steps.ts";
import { modifiableInputs } from "./retry-inputs.ts";
import { toListedRun, readPinnedRun, type RunListParts } from "./read.ts";

interface Parts {
  reading: RunListParts;
  /** The session of a run; undefined while there is none. */
  sessionOf: (runId: string) => string | undefined;
}

/** A run with all that is known of it. Of its journal, only what no snapshot or digest tells is read. */
export function showRun(runId: string, { reading, sessionOf }: Parts): RunDetails {
  const { store } = reading;
  const state = store.state(runId);
  const digest = store.digest(runId);
  const pinned = readPinnedRun(store, runId);
  const row = toListedRun(reading, state);
  const { ended, current, running_ms, usage, rounds, limits, waiting, stopped } = state;
  const wait = waiting && digest.wait ? store.lineAt(runId, digest.wait) : undefined;
  const { blocked_context, merge } = wait && "actions" in wait ? wait : {};
  const failed_output = waiting && current && failedOutput(waiting.reason, current, blocked_context, digest);
  const steps = stepsToShow(digest.steps, row.status, (place) => store.lineAt(runId, place));
  const modifiable_inputs = waiting && pinned ? modifiableInputs(pinned) : undefined;
  return {
    ...row,
    ended,
    session_id: sessionOf(runId) ?? null,
    base: pinned?.base ?? null,
    target: pinned?.target ?? null,
    branch: pinned?.worktree?.branch ?? null,
    current,
    running_ms,
    usage,
    ...(rounds !== undefined && { rounds }),
    ...(limits && { limits }),
    steps,
    outline: pinned ? outlineOf(pinned.grimoire.steps, steps) : [],
    variables: state.variables,
    ...(modifiable_inputs && { modifiable_inputs }),
    ...(waiting && {
      blocked_reason: waiting.reason,
      message: waiting.message,
      ...(blocked_context && { blocked_context }),
      ...(failed_output && { failed_output }),
      ...(merge && { merge }),
      iteration_summaries: waiting.iteration_summaries,
      actions: waiting.actions,
    }),
    ...(row.asking !== undefined && { permissions: state.permissions! }),
    stopped,
    signals: [...digest.signals, ...store.pendingSignals(runId).map(pendingSignal)].slice(-maxSignals),
    journal: store.path(runId),
  };
}

/** What failed where a run waits, in its own last words; undefined when it waits for something else. */
function failedOutput(
  reason: string,
  current: StepAddress,
  { output, outputs, step }: NonNullable<RunDetails["blocked_context"]> = {},
  { tail }: RunDigest,
): FailedOutput | undefined {
  // A verdict is about the diff, not about what some step printed.
  if (reason === "review" || reason === "rejected") return undefined;
  const ownOutput: FailedOutput | undefined =
    typeof output === "string" && output !== ""
      ? { ...(step ?? current), text: lastLines(output), files: [] }
      : undefined;
  // What a person asked for was printed by no step.
  const isAsked = typeof outputs === "object" && outputs !== null && "changes" in outputs;
  return isAsked ? ownOutput : (new OutputTail(tail).failedAt(current.path) ?? ownOutput);
}

function pendingSignal({ signal, at, to, by }: SignalFile): SignalRecord {
  return { ...signal, at, taken: null, to, by: by ?? null };
}

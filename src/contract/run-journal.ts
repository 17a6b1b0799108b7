import * as z from "zod/mini";
import { stepTypes } from "./grimoire.ts";
import { json } from "./json.ts";
import { mergeOffer } from "./merge-offer.ts";
import { permissionRequest } from "./permission.ts";
import { pinnedRun } from "./pinned-run.ts";
import { address, at, blockedContext, iterationSummaries, result, signal, signalOrigin, usage } from "./run-fields.ts";
import type { Redacted } from "./redacted.ts";
import type { StepAddress } from "./run.ts";
import { useSchemaMessages } from "./schema-messages.ts";
import { stepInput } from "./step-input.ts";

useSchemaMessages();

/**
 * A run's journal, which is its log as well: JSON lines, checked when they are written and when they are read. The
 * events have a number `n`, counted over all runs of the repository; the other lines tell more, and readers pass over
 * those that they do not know. `type` always comes first.
 */

export const journalVersion = 1;

const n = z.int().check(z.positive());
/** Time that the run has been worked on so far; waiting for a person and being dead do not count. */
const running_ms = z.number();

const started = z.object({
  type: z.literal("workflow.started"),
  n,
  at,
  version: z.literal(journalVersion),
  workflow_id: z.string(),
  bead_id: z.string(),
  grimoire: z.string(),
  pinned: pinnedRun,
});

const stepStarted = z.object({
  type: z.literal("workflow.step.started"),
  n,
  at,
  ...address,
  kind: z.enum(stepTypes),
  /** What the handler got: prompt, script with its values; absent for loops. */
  input: z.exactOptional(stepInput),
  running_ms,
});

export const completion = {
  ...address,
  status: z.enum(["succeeded", "failed", "skipped", "stopped"]),
  ...result,
  success: z.exactOptional(z.boolean()),
  /** Why it was stopped, and by the limit of what. */
  stopped: z.exactOptional(z.enum(["timeout", "cancelled", "permission", "limit"])),
  scope: z.exactOptional(z.nullable(z.object(address))),
  duration_ms: z.exactOptional(z.number()),
  running_ms,
};

const stepCompleted = z.object({ type: z.literal("workflow.step.completed"), n, at, ...completion });

const waiting = {
  n,
  at,
  ...address,
  blocked_reason: z.string(),
  message: z.string(),
  blocked_context: z.exactOptional(blockedContext),
  iteration_summaries: iterationSummaries,
  worktree: z.string(),
  /** What a person is asked to approve, or has rejected: heads, tree, changed files, what was proven. */
  merge: z.exactOptional(mergeOffer),
  /** What can be done now, as commands. */
  actions: z.array(z.string()),
  /** Whether a person may ask for changes. */
  takes_changes: z.exactOptional(z.literal(true)),
  running_ms,
};

const totals = { running_ms, usage };

export const runEvent = z.discriminatedUnion("type", [
  started,
  stepStarted,
  stepCompleted,
  z.object({ type: z.literal("workflow.blocked"), ...waiting }),
  z.object({ type: z.literal("workflow.merge_pending"), ...waiting }),
  z.object({ type: z.literal("workflow.failed"), ...waiting }),
  z.object({ type: z.literal("workflow.completed"), n, at, ...totals }),
  z.object({ type: z.literal("workflow.cancelled"), n, at, ...totals }),
]);

const output = z.object({
  type: z.literal("step.output"),
  at,
  ...address,
  stream: z.enum(["stdout", "stderr"]),
  text: z.string(),
});

const agentBase = { at, ...address };

/** What an agent does and says. */
const agentLines = [
  z.object({
    type: z.literal("agent.init"),
    ...agentBase,
    engine: z.string(),
    engine_session: z.exactOptional(z.string()),
    model: z.exactOptional(z.string()),
  }),
  z.object({ type: z.literal("agent.message"), ...agentBase, text: z.string() }),
  z.object({ type: z.literal("agent.thinking"), ...agentBase, text: z.string() }),
  z.object({ type: z.literal("agent.tool_call"), ...agentBase, id: z.string(), name: z.string(), input: json }),
  z.object({
    type: z.literal("agent.tool_result"),
    ...agentBase,
    id: z.string(),
    name: z.exactOptional(z.string()),
    output: z.string(),
    failed: z.boolean(),
    exit_code: z.exactOptional(z.int()),
    duration_ms: z.exactOptional(z.number()),
  }),
  z.object({ type: z.literal("agent.usage"), ...agentBase, ...usage.shape, rounds: result.rounds }),
  z.object({ type: z.literal("agent.error"), ...agentBase, message: z.string() }),
] as const;

const permissionLines = [
  /** An agent waits for a person. From here on the clocks of step and run stand still. */
  z.object({ type: z.literal("agent.permission"), ...agentBase, ...permissionRequest.shape, running_ms }),
  /** A request that needs no answer any more: the engine took it back, or its agent is stopped. */
  z.object({
    type: z.literal("agent.permission_over"),
    ...agentBase,
    id: z.string(),
    reason: z.enum(["withdrawn", "unanswered"]),
    running_ms,
  }),
] as const;

/** What a step's handler streams while it works. */
const workLine = z.discriminatedUnion("type", [
  /** A process was made; it waits until this stands here. */
  z.object({
    type: z.literal("step.process"),
    at,
    ...address,
    pid: z.int(),
    /** When it started, as the system tells it: a pid alone may be another's by now. */
    started: z.string(),
    boot: z.string(),
    /** In the environment of all that it starts. */
    mark: z.string(),
    /** A folder with the step's values, to be removed. */
    folder: z.exactOptional(z.string()),
  }),
  output,
  z.object({ type: z.literal("step.warning"), at, ...address, message: z.string() }),
  /** How a step is done that was begun before: where its agent goes on, or that it begins anew. */
  z.object({ type: z.literal("step.note"), at, ...address, message: z.string() }),
  /** Synced before anything of the target changes: a crash from here on has to be mended. */
  z.object({
    type: z.literal("merge.landing"),
    at,
    ...address,
    target: z.string(),
    from: z.string(),
    to: z.string(),
  }),
  /** Synced before the merged tree is checked out in the run's worktree, where its branch has to come back. */
  z.object({
    type: z.literal("merge.verifying"),
    at,
    ...address,
    branch: z.string(),
    head: z.string(),
    commit: z.string(),
  }),
  /** The branch is back in the worktree; `removed` is what the command had left there. */
  z.object({ type: z.literal("merge.verified"), at, ...address, removed: z.array(z.string()) }),
  ...agentLines,
]);

/** Absent in journals of before it was recorded. */
const by = z.exactOptional(signalOrigin);

const preparation = z.enum(["worktree", "offer", "verify"]);

/** What the host itself notes. */
const hostLine = z.discriminatedUnion("type", [
  /** The process that drives the run from here on. */
  z.object({ type: z.literal("run.driven"), at, pid: z.int(), boot: z.string() }),
  /** What has to be there before a step can be. It is no step: no event tells of it, but what became of it is kept. */
  z.object({ type: z.literal("step.preparing"), at, ...address, kind: preparation, running_ms }),
  z.object({ type: z.literal("step.prepared"), at, kind: preparation, ...completion }),
  /** `stopped`: it did not begin, because of the limit of `scope` (null: the run's). */
  z.object({
    type: z.literal("loop.iteration"),
    at,
    path: z.string(),
    iteration: z.int(),
    stopped: z.exactOptional(z.literal("timeout")),
    scope: z.exactOptional(z.nullable(z.object(address))),
    /** Not in journals of the first version. */
    running_ms: z.exactOptional(running_ms),
  }),
  /** What a person said, and to what: a run that stood elsewhere by then was not meant. */
  z.object({
    type: z.literal("run.signal"),
    at,
    id: z.string(),
    signal,
    to: z.nullable(z.object(address)),
    taken: z.boolean(),
    /** Why what was meant for an agent did not reach it. */
    refusal: z.exactOptional(z.string()),
    by,
    running_ms,
  }),
  /** A person stopped the driver: the run waits until a person goes on with it. */
  z.object({
    type: z.literal("run.stopped"),
    at,
    pid: z.int(),
    reason: z.string(),
    /** Not in journals of the first versions. */
    running_ms: z.exactOptional(running_ms),
  }),
  ...permissionLines,
  /** The line before was cut short by a crash. */
  z.object({ type: z.literal("run.torn"), at, bytes: z.int() }),
]);

/** What an agent does, says and asks. */
export const agentLine = z.discriminatedUnion("type", [...agentLines, ...permissionLines]);

/** Flat, so that a line is checked by one look at its type. */
export const journalLine = z.discriminatedUnion("type", [
  ...runEvent.def.options,
  ...workLine.def.options,
  ...hostLine.def.options,
]);

export type RunEvent = z.infer<typeof runEvent>;
export type WorkLine = z.infer<typeof workLine>;
/** A line of a step's work without what the host adds. */
export type WorkNote = DistributiveOmit<WorkLine, "at" | keyof StepAddress>;
/** What a step prints and an agent does: redacted as it comes, before it is told. */
export type StreamNote = Extract<WorkNote, { type: "step.output" | `agent.${string}` }>;
/** What a handler may log; the host redacts the rest. */
export type HandlerNote = Exclude<WorkNote, StreamNote> | Redacted<StreamNote>;
/** `Omit` for each member of a union by itself. */
export type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
export type HostLine = z.infer<typeof hostLine>;
export type JournalLine = RunEvent | WorkLine | HostLine;

/** A signal's file. */
export const signalFile = z.object({ id: z.string(), at, signal, to: z.nullable(z.object(address)), by });
export type SignalFile = z.infer<typeof signalFile>;

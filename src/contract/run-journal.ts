import * as z from "zod/mini";
import type { Json } from "./grimoire.ts";
import { useOwnWords } from "./schema-words.ts";
import {
  runStatuses,
  type MergeOffer,
  type PinnedRun,
  type StepAddress,
  type StepInput,
  type StepResult,
} from "./run.ts";

useOwnWords();

/**
 * A run's journal, which is its log as well: JSON lines, checked when they are written and when they are read. The
 * events have a number `n`, counted over all runs of the repository; the other lines tell more, and may be passed over
 * by whoever does not know them. `type` always comes first.
 */

export const journalVersion = 1;

/** Outputs longer than this stand in a file named by their hash. */
export const longestInlineBytes = 64 * 1024;

const at = z.string();
const n = z.int().check(z.positive());
const address = { path: z.string(), attempt: z.int().check(z.positive()) };
/** What was read as JSON is JSON. */
const json = z.unknown() as z.ZodMiniType<Json>;

/** A long output: the hash of its bytes, which is its file's name, and whether they are JSON or plain text. */
const kept = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int(),
  as: z.enum(["text", "json"]),
});

const usage = z.object({ input_tokens: z.number(), output_tokens: z.number(), cost_usd: z.exactOptional(z.number()) });

/** Time that the run has been worked on so far; waiting for a person and being dead do not count. */
const running_ms = z.number();

const result = {
  success: z.boolean(),
  output: z.exactOptional(json),
  output_file: z.exactOptional(kept),
  exit_code: z.exactOptional(z.int()),
  summary: z.exactOptional(z.string()),
  outputs: z.exactOptional(json),
  outputs_file: z.exactOptional(kept),
  stderr: z.exactOptional(z.string()),
  stderr_file: z.exactOptional(kept),
  error: z.exactOptional(z.string()),
  usage: z.exactOptional(usage),
  tree: z.exactOptional(z.string()),
};

const started = z.object({
  type: z.literal("workflow.started"),
  n,
  at,
  version: z.literal(journalVersion),
  workflow_id: z.string(),
  bead_id: z.string(),
  grimoire: z.string(),
  pinned: z.custom<PinnedRun>((value) => typeof value === "object" && value !== null && "grimoire" in value),
});

const stepStarted = z.object({
  type: z.literal("workflow.step.started"),
  n,
  at,
  ...address,
  kind: z.enum(["agent", "script", "merge", "loop"]),
  /** What the handler got: prompt, script with its values; absent for loops. */
  input: z.exactOptional(
    z.custom<StepInput>((value) => typeof value === "object" && value !== null && "kind" in value),
  ),
  running_ms,
});

const completion = {
  ...address,
  status: z.enum(["succeeded", "failed", "skipped", "stopped"]),
  ...result,
  success: z.exactOptional(z.boolean()),
  /** Why it was stopped, and by the limit of what. */
  stopped: z.exactOptional(z.enum(["timeout", "cancelled"])),
  scope: z.exactOptional(z.nullable(z.object(address))),
  duration_ms: z.exactOptional(z.number()),
  running_ms,
};

const stepCompleted = z.object({ type: z.literal("workflow.step.completed"), n, at, ...completion });

/** What a person needs to see: the failed step's output, its errors. `step` says which, when it is another one. */
const blockedContext = z.object({
  ...result,
  success: z.exactOptional(z.boolean()),
  step: z.exactOptional(z.object(address)),
});

const waiting = {
  n,
  at,
  ...address,
  blocked_reason: z.string(),
  message: z.string(),
  blocked_context: z.exactOptional(blockedContext),
  iteration_summaries: z.array(z.object({ path: z.string(), iteration: z.int(), summary: z.string() })),
  worktree: z.string(),
  /** What a person is asked to approve, or has rejected: heads, tree, changed files, what was proven. */
  merge: z.exactOptional(z.custom<MergeOffer>((value) => typeof value === "object" && value !== null)),
  /** What can be done now, as commands. */
  actions: z.array(z.string()),
  /** Whether a person may ask for changes. */
  takes_changes: z.exactOptional(z.literal(true)),
  running_ms,
};

const totals = { running_ms, usage };

const event = z.discriminatedUnion("type", [
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

/** What a step's handler streams while it works. */
const taskLine = z.discriminatedUnion("type", [
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
    duration_ms: z.exactOptional(z.number()),
  }),
  z.object({ type: z.literal("agent.usage"), ...agentBase, ...usage.shape }),
  z.object({ type: z.literal("agent.error"), ...agentBase, message: z.string() }),
]);

const signal = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("retry"), inputs: z.record(z.string(), json) }),
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("reject"), reason: z.string() }),
  z.object({ kind: z.literal("changes"), text: z.string() }),
  z.object({ kind: z.literal("cancel") }),
]);

/** Who gave a signal; absent in journals of before it was recorded. */
const by = z.exactOptional(
  z.object({ user: z.string(), terminal: z.nullable(z.string()), pid: z.int(), command: z.string(), at }),
);

const preparation = z.enum(["worktree", "offer", "verify"]);

/** What the host itself notes. */
const hostLine = z.discriminatedUnion("type", [
  /** Who drives the run from here on. */
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
    running_ms,
  }),
  /** What a person said, and to what: a run that stood elsewhere by then was not meant. */
  z.object({
    type: z.literal("run.signal"),
    at,
    id: z.string(),
    signal,
    to: z.nullable(z.object(address)),
    taken: z.boolean(),
    by,
    running_ms,
  }),
  /** A person stopped the driver: the run waits until a person goes on with it. */
  z.object({ type: z.literal("run.stopped"), at, pid: z.int(), reason: z.string() }),
  /** The line before was cut short by a crash. */
  z.object({ type: z.literal("run.torn"), at, bytes: z.int() }),
]);

/** Flat, so that a line is checked by one look at its type. */
export const journalLine = z.discriminatedUnion("type", [
  ...event.def.options,
  ...taskLine.def.options,
  ...hostLine.def.options,
]);

export type RunEvent = z.infer<typeof event>;
export type TaskLine = z.infer<typeof taskLine>;
/** A task's line without what the host adds. */
export type TaskNote = DistributiveOmit<TaskLine, "at" | keyof StepAddress>;
/** `Omit` for each member of a union by itself. */
export type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;
export type HostLine = z.infer<typeof hostLine>;
export type JournalLine = RunEvent | TaskLine | HostLine;
export type KeptFile = z.infer<typeof kept>;

/** A result as a journal line has it: what is long stands in a file. */
export type KeptResult = Omit<StepResult, "output"> & {
  output?: Json;
  output_file?: KeptFile;
  outputs_file?: KeptFile;
  stderr_file?: KeptFile;
};

/** A signal's file. */
export const signalFile = z.object({ id: z.string(), at, signal, to: z.nullable(z.object(address)), by });
export type SignalFile = z.infer<typeof signalFile>;

/** Longer values stand in the journal alone, in characters of JSON. */
export const longestStateValue = 4096;

const stepState = z.object({
  ...address,
  status: completion.status,
  exit_code: result.exit_code,
  summary: result.summary,
  error: result.error,
  output: result.output,
  outputs: result.outputs,
  /** Parts that are too long to stand here. */
  left_out: z.exactOptional(z.array(z.string())),
});

/** What is known of a run without reading its journal: a projection, which may be thrown away. */
export const runSnapshot = z.object({
  version: z.literal(journalVersion),
  /** How much of the journal this takes in. */
  journal_bytes: z.int(),
  id: z.string(),
  bead_id: z.string(),
  bead_title: z.string(),
  grimoire: z.string(),
  status: z.enum(runStatuses),
  started: z.string(),
  updated: z.string(),
  ended: z.nullable(z.string()),
  worktree: z.string(),
  /** The names of the grimoire's outermost steps. */
  outline: z.array(z.string()),
  /** The step that runs, or that the run waits at. */
  current: z.nullable(z.object(address)),
  progress: z.object({ done: z.int(), total: z.int() }),
  running_ms: z.number(),
  usage,
  last_event: z.int(),
  waiting: z.nullable(
    z.object({
      ...address,
      reason: z.string(),
      message: z.string(),
      actions: z.array(z.string()),
      iteration_summaries: waiting.iteration_summaries,
      blocked_context: z.exactOptional(blockedContext),
      takes_changes: z.exactOptional(z.literal(true)),
    }),
  ),
  driver: z.nullable(z.object({ pid: z.int(), boot: z.string() })),
  /** When and why a person stopped it; null while it is driven, and after a crash. */
  stopped: z.nullable(z.object({ at, reason: z.string() })),
  /** The loops that the run is in, outermost first. */
  iterations: z.array(z.object({ path: z.string(), iteration: z.int() })),
  /** Outputs by their name, `--var`s, and what a retry changed. What is longer than `longestStateValue` is not here. */
  variables: z.record(z.string(), json),
  /** What each step gave when it was last executed, by its name. */
  steps: z.record(z.string(), stepState),
  /** The output that each step sets, by the step's name. */
  output_names: z.record(z.string(), z.string()),
});
export type RunSnapshot = z.infer<typeof runSnapshot>;

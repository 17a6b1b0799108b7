import * as z from "zod/mini";
import { json } from "./json.ts";
import { limits } from "./limits.ts";
import { permissionRequest } from "./permission.ts";
import { address, at, blockedContext, iterationSummaries, result, usage } from "./run-fields.ts";
import { completion, journalVersion } from "./run-journal.ts";
import { runStatuses } from "./run.ts";
import { useSchemaMessages } from "./schema-messages.ts";

useSchemaMessages();

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
  /** Exchanges with models; absent while there was none. */
  rounds: result.rounds,
  /** What an agent has used whose step is not completed. */
  open_usage: z.exactOptional(z.object({ ...address, usage, rounds: result.rounds })),
  /** What the run may use, as a retry has changed it; absent without limits. */
  limits: z.exactOptional(limits),
  /** What worked in it, in the order of their beginning. Absent while no agent has. */
  engine_sessions: z.exactOptional(z.array(z.object({ engine: z.string(), session: z.exactOptional(z.string()) }))),
  last_event: z.int(),
  waiting: z.nullable(
    z.object({
      ...address,
      reason: z.string(),
      message: z.string(),
      actions: z.array(z.string()),
      iteration_summaries: iterationSummaries,
      blocked_context: z.exactOptional(blockedContext),
      takes_changes: z.exactOptional(z.literal(true)),
    }),
  ),
  /** What its agent waits for, as long as the run is driven: a crash voids it. Absent when there is nothing. */
  permissions: z.exactOptional(z.array(z.object({ ...address, at, ...permissionRequest.shape }))),
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

/** A run that is over, as lists show it: a line of a file that may be thrown away. */
export const endedRun = z.object({
  id: z.string(),
  bead_id: z.string(),
  bead_title: z.string(),
  grimoire: z.string(),
  status: z.enum(["completed", "cancelled"]),
  progress: runSnapshot.shape.progress,
  started: z.string(),
  updated: z.string(),
  ended: z.string(),
  /** Absent when nothing was used, and in lines of earlier versions. */
  usage: z.exactOptional(usage),
  /** How long its journal is; one of another length is another run's. */
  journal_bytes: z.int(),
});
export type EndedRun = z.infer<typeof endedRun>;

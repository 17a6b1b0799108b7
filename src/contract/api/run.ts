import * as z from "zod/mini";
import { stepTypes } from "../grimoire.ts";
import { json } from "../json.ts";
import { givenLimits, limits } from "../limits.ts";
import { mergeOffer } from "../merge-offer.ts";
import { address as addressFields, blockedContext, iterationSummaries, usage } from "../run-fields.ts";
import { failedOutput, runStep, signalRecord, stepStatuses } from "../run-digest.ts";
import { agentLine, journalLine, runEvent } from "../run-journal.ts";
import { runSnapshot } from "../run-snapshot.ts";
import { visibleStatuses } from "../run.ts";
import { runRequest } from "./grimoire.ts";
import { decides, reads, readsLocally, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";
import { nonNegativeInt, next, page } from "./paging.ts";
import { runAgentOperations } from "./run-agent.ts";
import { lookupErrors } from "./run-lookup.ts";

const text = z.string();
const optional = z.exactOptional(text);
const nullable = z.nullable(text);
const address = z.object(addressFields);
const driveErrors = [...lookupErrors, "not_possible_now"] as const;

/** A run is named by its id, the beginning of one, its bead, or `latest`. */
const runName = { run: text };

const listFields = {
  id: text,
  bead_id: text,
  bead_title: text,
  grimoire: text,
  status: z.enum(visibleStatuses),
  progress: z.object({ done: z.int(), total: z.int() }),
  started: text,
  updated: text,
  /** Where the run's own worktree stands; null when it is over and its worktree is gone. */
  worktree: nullable,
  /** How many permissions its agent waits for; absent when it waits for none. */
  asking: z.exactOptional(z.int()),
  /** What its agents have used; absent while they have used nothing, and for runs that ended with an earlier version. */
  usage: z.exactOptional(usage),
};

/** A run as lists show it. */
export const listedRun = z.object(listFields);
export type ListedRun = z.infer<typeof listedRun>;

const unreadableRun = z.object({ id: text, reason: text });
export type UnreadableRun = z.infer<typeof unreadableRun>;

/** A step of a grimoire, and what became of its last attempt; in a loop, of the last iteration that came to it. */
const outlineStep = z.object({
  /** Its name, below those of the loops around it: `quality-loop/run-tests`. */
  path: text,
  kind: z.enum(stepTypes),
  status: z.enum([...stepStatuses, "not_begun"]),
});
export type OutlineStep = z.infer<typeof outlineStep>;

/** A run with all that is known of it. */
const runDetails = z.object({
  ...listFields,
  ended: nullable,
  session_id: nullable,
  base: nullable,
  target: nullable,
  /** The run's own branch. */
  branch: nullable,
  current: z.nullable(address),
  running_ms: z.number(),
  usage,
  /** Exchanges with models; absent while there was none. */
  rounds: z.exactOptional(z.int()),
  /** What it may use; absent without limits. */
  limits: z.exactOptional(limits),
  /** Each attempt at a step that was begun, in their order. */
  steps: z.array(runStep),
  /** Every step of the grimoire, also those that were not begun. */
  outline: z.array(outlineStep),
  /** What its templates can ask for, as its state has it: redacted, and without values that are very long. */
  variables: runSnapshot.shape.variables,
  /** While it waits: the names that `modified_inputs` of a retry takes. Absent when it takes any. */
  modifiable_inputs: z.exactOptional(z.array(text)),
  blocked_reason: optional,
  message: optional,
  blocked_context: z.exactOptional(blockedContext),
  /** What failed where the run waits, in its own last words. */
  failed_output: z.exactOptional(failedOutput),
  /** What a person is asked to approve. */
  merge: z.exactOptional(mergeOffer),
  iteration_summaries: z.exactOptional(iterationSummaries),
  /** What can be done now, as commands. */
  actions: z.exactOptional(z.array(text)),
  /** What its agent waits for; absent when there is nothing. */
  permissions: runSnapshot.shape.permissions,
  /** When and why a person stopped it; null while it is driven, and after a crash. */
  stopped: runSnapshot.shape.stopped,
  /** What people said to it, oldest first. */
  signals: z.array(signalRecord),
  journal: text,
});
export type RunDetails = z.infer<typeof runDetails>;

/** What a run would merge, or has merged. */
const runDiff = z.object({
  run_id: text,
  /** What waits, or has landed last; null while nothing is offered. */
  merge: z.nullable(mergeOffer),
  /** What waits, or all that has landed. */
  merges: z.array(mergeOffer),
  /** As git prints it. */
  diff: text,
  /** The same bytes, where they are no UTF-8 and the text is not all of them. */
  diff_base64: optional,
  /** Files in the worktree that are in no commit and in no diff. */
  untracked: z.array(text),
});
export type RunDiff = z.infer<typeof runDiff>;

/** What comes while a run is driven or followed. */
const driveNews = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("line"), line: journalLine }),
  /** Another process drives the run, and this one only looks on. */
  z.object({ kind: z.literal("following") }),
  /** Something about what it left behind, for a person. */
  z.object({ kind: z.literal("remark"), text }),
]);
export type DriveNews = z.infer<typeof driveNews>;

const runChanges = z.object({
  settings: z.array(text),
  files: z.array(z.object({ file: text, is_gone: z.boolean() })),
});
export type RunChanges = z.infer<typeof runChanges>;

export const numberedEvent = z.intersection(runEvent, z.object({ workflow_id: text }));
export type NumberedEvent = z.infer<typeof numberedEvent>;

const typesOf = <Type extends string>(lines: { def: { shape: { type: z.ZodMiniLiteral<Type> } } }[]): Type[] =>
  lines.flatMap((line) => [...line.def.shape.type.def.values]);
/** The types of events, and of what agents do and say. */
const eventTypes = [...typesOf(runEvent.def.options), ...typesOf(agentLine.def.options)];

/** What an agent of a run does or says. It has no number. */
const runActivity = z.intersection(agentLine, z.object({ workflow_id: text }));
export type RunActivity = z.infer<typeof runActivity>;

/** The signal is on disk. The driver of the run takes it up, or the next one. */
const signalReceipt = z.object({ run_id: text, is_driven: z.boolean() });

export const runOperations = {
  start: {
    ...writesLocally,
    about: "Starts a run on a bead, or gives the one that works on it already. It is on disk when this answers.",
    request: runRequest,
    response: z.object({ run_id: text, is_new: z.boolean() }),
    errors: [
      ...driveErrors,
      "unknown_grimoire",
      "invalid_grimoire",
      "unknown_spell",
      "unknown_engine",
      "invalid_template",
    ],
  },
  drive: {
    ...writesLocally,
    about:
      "Drives a run until it ends, waits or is interrupted; while another process drives it, follows that one, and takes over if it dies.",
    streams: true,
    request: z.strictObject({
      ...runName,
      /** From where in the journal lines are told: its beginning, or only what is new. */
      from: z.enum(["beginning", "now"]),
    }),
    response: driveNews,
    errors: driveErrors,
  },
  find: {
    ...reads,
    about: "Names the run that is meant.",
    request: z.strictObject(runName),
    response: z.object({ run_id: text }),
    errors: lookupErrors,
  },
  list: {
    ...reads,
    about: "Lists runs, newest first. Those that ended over a week ago only with `all`.",
    paged: true,
    request: z.strictObject({ all: z.optional(z.boolean()), status: z.optional(z.enum(visibleStatuses)), ...page }),
    response: z.object({ runs: z.array(listedRun), unreadable: z.array(unreadableRun), ...next }),
    errors: [],
  },
  show: {
    ...reads,
    about: "A run: how it stands, its steps, why it waits and what to do about it.",
    request: z.strictObject(runName),
    response: z.object({ run: runDetails }),
    errors: lookupErrors,
  },
  lines: {
    ...reads,
    about: "All that a run's journal holds, from its beginning; with `follow`, also what comes until it ends.",
    streams: true,
    request: z.strictObject({
      ...runName,
      follow: z.optional(z.boolean()),
      /** Only what follows the event with this number. */
      after: z.optional(nonNegativeInt),
    }),
    response: journalLine,
    errors: lookupErrors,
  },
  events: {
    ...reads,
    about: "The numbered events of all runs, in order; with `follow`, also those that come.",
    streams: true,
    request: z.strictObject({
      follow: z.optional(z.boolean()),
      /** Only events with greater numbers. */
      after: z.optional(nonNegativeInt),
      /** Only events that come from now on. */
      live: z.optional(z.boolean()),
      /** Only events of these runs, each named as everywhere, and of these types. */
      runs: z.optional(z.array(text)),
      types: z.optional(z.array(z.enum(eventTypes))),
      /** What agents do and say as well, from now on; it has no number. */
      activity: z.optional(z.boolean()),
    }),
    /** Or a run whose journal cannot be read, once. */
    response: z.union([z.strictObject({ unreadable: unreadableRun }), numberedEvent, runActivity]),
    errors: [...lookupErrors, "gone"],
  },
  changedSince: {
    ...readsLocally,
    about: "Settings and files that say something else than when a run began that is not over, and keeps its own.",
    request: z.strictObject(runName),
    response: runChanges,
    errors: lookupErrors,
  },
  diff: {
    ...reads,
    about: "What a run would merge, or has merged; before it offers that, what is in its worktree.",
    request: z.strictObject({ ...runName, paths: z.optional(z.array(text)) }),
    response: runDiff,
    errors: driveErrors,
  },
  retry: {
    ...decides,
    about: "Lets a blocked step be tried again.",
    /** `limits` take the place of those that the run had; `engine` works on its agent steps from here on. */
    request: z.strictObject({
      ...runName,
      modified_inputs: z.optional(z.record(text, json)),
      limits: z.exactOptional(givenLimits),
      engine: z.exactOptional(text),
    }),
    response: signalReceipt,
    errors: driveErrors,
  },
  approve: {
    ...decides,
    about: "Lets a merge be landed, as its diff shows it.",
    /** `tree`: only if this one is still what would be merged. */
    request: z.strictObject({ ...runName, tree: z.optional(text) }),
    response: signalReceipt,
    errors: driveErrors,
  },
  reject: {
    ...decides,
    about: "Refuses a merge: the run is blocked until it is retried.",
    request: z.strictObject({ ...runName, reason: z.optional(text) }),
    response: signalReceipt,
    errors: driveErrors,
  },
  requestChanges: {
    ...decides,
    about: "Asks for changes: the loop around the merge goes on with its next iteration, which sees the text.",
    request: z.strictObject({ ...runName, text }),
    response: signalReceipt,
    errors: driveErrors,
  },
  cancel: {
    ...decides,
    about: "Gives a run up: ends what it is doing, keeps what it did.",
    request: z.strictObject(runName),
    response: signalReceipt,
    errors: driveErrors,
  },
  ...runAgentOperations,
} as const satisfies OperationTable;

export type RunsApi = ApiOf<typeof runOperations>;

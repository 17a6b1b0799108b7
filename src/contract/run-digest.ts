import * as z from "zod/mini";
import { stepTypes } from "./grimoire.ts";
import { missingEvidence } from "./evidence-values.ts";
import { json } from "./json.ts";
import { address, storedFile, signal, signalOrigin, usage } from "./run-fields.ts";
import { journalVersion } from "./run-journal.ts";

const text = z.string();

export const stepStatuses = ["running", "succeeded", "failed", "skipped", "stopped", "interrupted", "waiting"] as const;

/** One attempt at a step. */
export const runStep = z.object({
  ...address,
  kind: z.nullable(z.enum(stepTypes)),
  /** `interrupted`: no process drives the run any more. `waiting`: the run waits for a person inside this loop. */
  status: z.enum(stepStatuses),
  started: z.nullable(text),
  duration_ms: z.exactOptional(z.number()),
  exit_code: z.exactOptional(z.int()),
  summary: z.exactOptional(text),
  output: z.exactOptional(json),
  output_file: z.exactOptional(storedFile),
  outputs: z.exactOptional(json),
  outputs_file: z.exactOptional(storedFile),
  stderr: z.exactOptional(text),
  stderr_file: z.exactOptional(storedFile),
  error: z.exactOptional(text),
  usage: z.exactOptional(usage),
  rounds: z.exactOptional(z.int()),
  tree: z.exactOptional(text),
  /** What its gates still ask for. */
  missing: z.exactOptional(z.array(missingEvidence)),
  /** Where its agent went on after it had been cut off or stopped, or that it began anew. */
  note: z.exactOptional(text),
});
export type RunStep = z.infer<typeof runStep>;

/** What a person said to a run. */
export const signalRecord = z.intersection(
  signal,
  z.object({
    at: text,
    /** Null while no driver has taken it up. */
    taken: z.nullable(z.boolean()),
    to: z.nullable(z.object(address)),
    by: z.nullable(signalOrigin),
  }),
);
export type SignalRecord = z.infer<typeof signalRecord>;

/** The last lines of a step that failed, in the order in which they came, whatever they were printed to. */
export const failedOutput = z.object({
  ...address,
  text,
  /** Outputs too long for the journal, which has only their beginnings; none of those lines is in `text`. */
  files: z.array(storedFile),
});
export type FailedOutput = z.infer<typeof failedOutput>;

/** Where a line stands in the journal. */
const place = z.object({ offset: z.int(), bytes: z.int() });
export type JournalPlace = z.infer<typeof place>;

const placedStep = z.object({ ...runStep.shape, place });

/**
 * What `run show` needs of a journal beside the snapshot, so that a long one need not be read for it: a projection, which
 * may be thrown away.
 */
export const runDigest = z.object({
  version: z.literal(journalVersion),
  /** How much of the journal this takes in. */
  journal_bytes: z.int(),
  id: text,
  /** In the order in which each was first begun. Of one that gave much, only where its completion stands. */
  steps: z.array(z.union([placedStep, runStep])),
  /** What people said, oldest first; the last of them. */
  signals: z.array(signalRecord),
  /** The last line that says why the run waits, and the last that offers a merge. */
  wait: z.nullable(place),
  offer: z.nullable(place),
  /** Beginnings of merges: of those that have not ended, and of those that have landed. */
  merging: z.array(z.object({ ...address, place })),
  landed: z.array(place),
  /** The merge step that a person approved and that has not come to its end. */
  approved: z.nullable(text),
  /** The last lines that were printed, and those of the last step that failed. */
  tail: z.object({ lines: z.array(text), unended: text, failed: z.nullable(failedOutput) }),
});
export type RunDigest = z.infer<typeof runDigest>;

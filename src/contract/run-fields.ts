import * as z from "zod/mini";
import { gatePass, missingEvidence } from "./evidence-values.ts";
import { json } from "./json.ts";
import { limits, stoppedAtLimit } from "./limits.ts";
import { unansweredPermission } from "./permission.ts";
import { optionKinds } from "./permission-values.ts";

/** Fields that a run's journal, its snapshot and the operations share. */

/** Outputs longer than this stand in a file named by their hash. */
export const longestInlineBytes = 64 * 1024;

export const at = z.string();
export const address = { path: z.string(), attempt: z.int().check(z.positive()) };

/** A long output: the hash of its bytes, which is its file's name, and whether they are JSON or plain text. */
export const storedFile = z.object({
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  bytes: z.int(),
  as: z.enum(["text", "json"]),
});
export type StoredFile = z.infer<typeof storedFile>;

/** What a model was paid for; a cost only where the engine tells it, or where the price of its model is known. */
export const usage = z.object({
  /** All that the model read. */
  input_tokens: z.number(),
  /** How much of that came from a cache, where the engine tells it. */
  cached_input_tokens: z.exactOptional(z.number()),
  /** Of the others, those that were written to a cache: some services ask more for them. */
  cache_write_tokens: z.exactOptional(z.number()),
  output_tokens: z.number(),
  cost_usd: z.exactOptional(z.number()),
});

export const result = {
  success: z.boolean(),
  /** A script's stdout without its last newline, an agent's result object. */
  output: z.exactOptional(json),
  output_file: z.exactOptional(storedFile),
  exit_code: z.exactOptional(z.int()),
  summary: z.exactOptional(z.string()),
  outputs: z.exactOptional(json),
  outputs_file: z.exactOptional(storedFile),
  stderr: z.exactOptional(z.string()),
  stderr_file: z.exactOptional(storedFile),
  /** Why it failed, in words for a person. */
  error: z.exactOptional(z.string()),
  usage: z.exactOptional(usage),
  /** How many exchanges with a model there were. */
  rounds: z.exactOptional(z.int()),
  /** The tree that stood in the worktree before and after it; absent when it was not recorded, or changed meanwhile. */
  tree: z.exactOptional(z.string()),
  /** The permission that was not answered in time: the agent was stopped, and goes on with the answer. */
  permission: z.exactOptional(unansweredPermission),
  /** The limit of the run at which it was stopped, or that it had passed when it came to its end. */
  limit: z.exactOptional(stoppedAtLimit),
  /** What the gates of an agent step still ask for: its result does not count. */
  missing: z.exactOptional(z.array(missingEvidence)),
  /** By what its gates were passed. */
  evidence: z.exactOptional(z.array(gatePass)),
};

/** A result as a journal line has it: what is long stands in a file. */
export type StoredResult = z.infer<z.ZodMiniObject<typeof result>>;

/** What a person needs to see: the failed step's output, its errors. `step` says which, when it is another one. */
export const blockedContext = z.object({
  ...result,
  success: z.exactOptional(z.boolean()),
  step: z.exactOptional(z.object(address)),
});

export const iterationSummaries = z.array(z.object({ path: z.string(), iteration: z.int(), summary: z.string() }));

/** What a person says to a run. */
export const signal = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("retry"),
    inputs: z.record(z.string(), json),
    /** Take the place of those that the run had. */
    limits: z.exactOptional(limits),
    /** Works on all agent steps from here on, whatever they name. */
    engine: z.exactOptional(z.string()),
  }),
  z.object({ kind: z.literal("approve") }),
  z.object({ kind: z.literal("reject"), reason: z.string() }),
  z.object({ kind: z.literal("changes"), text: z.string() }),
  z.object({ kind: z.literal("cancel") }),
  /** To the request with this id: `allow_once`, `allow_always`, `reject_once`. */
  z.object({ kind: z.literal("permission"), request: z.string(), option: z.enum(optionKinds) }),
  /** A further message for the agent at work. */
  z.object({ kind: z.literal("message"), text: z.string() }),
  /** Ends the agent at work, and so its attempt: gently, or at once. */
  z.object({ kind: z.literal("stop_agent"), kill: z.boolean() }),
]);

/** Who gave a signal, as far as the system tells. */
export const signalOrigin = z.object({
  user: z.string(),
  /** Such as /dev/pts/3; null when it was not given at a terminal. */
  terminal: z.nullable(z.string()),
  pid: z.int(),
  /** What was called: `clew run approve`. */
  command: z.string(),
  at,
});
export type SignalOrigin = z.infer<typeof signalOrigin>;

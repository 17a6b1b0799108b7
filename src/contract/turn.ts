import * as z from "zod/mini";
import { turnNamePattern } from "./turn-values.ts";

const text = z.string();
const turn = text.check(z.regex(turnNamePattern));
const instant = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const sha256 = text.check(z.regex(/^[0-9a-f]{64}$/));
const count = z.int().check(z.minimum(0));

/** What a turn, or its undoing, made of a file. */
const fileChange = z.object({
  path: text,
  /** The hash of what the file held; null when there was none. */
  before: z.nullable(sha256),
  after: z.nullable(sha256),
});
export type FileChange = z.infer<typeof fileChange>;

const common = { v: z.literal(1), turn, at: instant };

/** One line of `turns.jsonl`: what happened to a turn, with the hashes of what stands in its folder. Appended and synced, never changed. */
export const turnLine = z.discriminatedUnion("type", [
  z.object({
    ...common,
    type: z.literal("planned"),
    /** The turn before it in its line; null for the first. */
    after: z.nullable(turn),
    agent: text,
    engine: text,
    model: z.exactOptional(text),
    /** What the engine could not turn off, so that the model saw more than `_context.log`. */
    beside_context: z.array(text),
    /** Of the files in its folder, by name: `turn.context`, `_context.log`, `plan.md` and what a repair was sent. */
    hashes: z.record(text, sha256),
    /** How often the plan's errors were handed back. */
    repairs: count,
    /** The turn whose plan was taken over, where no agent was asked. */
    plan_of: z.exactOptional(turn),
    engine_session: z.exactOptional(text),
    tokens: z.exactOptional(z.object({ input: count, output: count, cached: z.exactOptional(count) })),
    cost_usd: z.exactOptional(z.number()),
  }),
  z.object({
    ...common,
    type: z.literal("branched"),
    from: turn,
    hashes: z.record(text, sha256),
  }),
  z.object({
    ...common,
    type: z.literal("executed"),
    status: z.enum(["SUCCESS", "FAILURE", "PARTIAL", "ABORTED"]),
    /** Of all files in its folder, by name. */
    hashes: z.record(text, sha256),
    files: z.array(fileChange),
  }),
  z.object({ ...common, type: z.literal("undone"), files: z.array(fileChange) }),
]);
export type TurnLine = z.infer<typeof turnLine>;

export const runStatuses = ["SUCCESS", "FAILURE", "PARTIAL", "ABORTED"] as const;
export const actionStatuses = ["SUCCESS", "FAILURE", "SKIPPED", "DENIED"] as const;
export type RunStatus = (typeof runStatuses)[number];
export type ActionStatus = (typeof actionStatuses)[number];

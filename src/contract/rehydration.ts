import * as z from "zod/mini";
import { breadcrumbKinds } from "./breadcrumb-values.ts";
import { missingEvidence } from "./evidence-values.ts";
import { questionKinds, sessionKinds, statuses, taskStatuses } from "./session-values.ts";

/** Where an agent stands, as it is told again when its context was cut, or when another one takes over. */

const text = z.string();
const optional = z.exactOptional(text);
const bead = z.strictObject({ id: text, title: text });

const note = z.strictObject({
  at: text,
  kind: z.enum(breadcrumbKinds),
  text,
  files: z.exactOptional(z.array(text)),
});

const facts = z.strictObject({
  session_id: z.nullable(text),
  title: text,
  kind: z.enum(sessionKinds),
  status: z.enum(statuses),
  run: z.exactOptional(
    z.strictObject({
      id: text,
      grimoire: text,
      status: text,
      /** The step with its attempt, `implement#2`; null between steps. */
      step: z.nullable(text),
      /** What works on the step: an engine, or `mcp` for a connected agent. */
      engine: z.nullable(text),
    }),
  ),
  bead: z.exactOptional(bead),
  /** Where the agent works. */
  folder: optional,
  /** What it was asked for, in short. */
  prompt: optional,
  /** The last phase of the session. */
  phase: optional,
  /** What is not done of the session's list. */
  tasks: z.array(z.strictObject({ id: text, content: text, status: z.enum(taskStatuses) })),
  /** What agents noted in this step; of a session without steps, in its last ones. Oldest first, as all lists here. */
  notes: z.array(note),
  decisions: z.array(text),
  /** What waits for a person. */
  open_decisions: z.array(z.strictObject({ id: optional, kind: z.enum(questionKinds), text })),
  missing_evidence: z.array(missingEvidence),
  /** What was said and done last. */
  progress: z.array(text),
  /** Comes back with the result of the step, where a connected agent works on it. */
  token: optional,
  /** What to do now. */
  to_do: text,
});
export type AgentFacts = z.infer<typeof facts>;

export const rehydration = z.strictObject({
  ...facts.shape,
  /** What had to give way to the budget, in sentences. */
  left_out: z.array(text),
  /** All of this as Markdown. */
  text,
  tokens: z.int(),
  budget: z.int(),
});
export type Rehydration = z.infer<typeof rehydration>;

/** How an agent came to need it. */
export const rehydrationCauses = ["compacted", "resumed", "cut off", "other engine"] as const;
export type RehydrationCause = (typeof rehydrationCauses)[number];

/** Who asked for a compaction: a person, or the engine itself. */
const triggers = ["manual", "auto"] as const;
export type CompactionTrigger = (typeof triggers)[number];

/** A line of `rehydrations/OWNER.jsonl`: that an agent was told where it stands, or that it showed that it knows. */
export const rehydrationLine = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("given"),
    v: z.literal(1),
    id: text,
    at: text,
    cause: z.enum(rehydrationCauses),
    /** Of a compaction: whether a person asked for it. */
    trigger: z.exactOptional(z.enum(triggers)),
    /** The run, or the session without one. */
    owner: text,
    session_id: z.nullable(text),
    step: z.nullable(text),
    engine: text,
    engine_session: z.nullable(text),
    tokens: z.int(),
  }),
  z.object({
    type: z.literal("receipt"),
    v: z.literal(1),
    /** Of the line that it is for. */
    id: text,
    at: text,
    /** What showed it: `workflow_continue`, `Bash`. */
    by: text,
    /** Whether it carried the continue token. */
    token: z.boolean(),
  }),
  /** An engine is about to compact what its model sees. */
  z.object({
    type: z.literal("compacting"),
    v: z.literal(1),
    at: text,
    trigger: z.exactOptional(z.enum(triggers)),
    engine: text,
    engine_session: z.nullable(text),
  }),
  /** An engine session called a tool of Clew's for this run. */
  z.object({
    type: z.literal("caller"),
    v: z.literal(1),
    at: text,
    engine: text,
    /** Where the engine names its session in calls of tools. */
    engine_session: z.exactOptional(text),
    /** Where it names the call: its hooks tell the same name. */
    tool_use_id: z.exactOptional(text),
  }),
]);
export type RehydrationLine = z.infer<typeof rehydrationLine>;
export type CallerLine = Extract<RehydrationLine, { type: "caller" }>;
export type GivenLine = Extract<RehydrationLine, { type: "given" }>;

import * as z from "zod/mini";
import type { Json } from "./json.ts";
import type { PermissionRequest } from "./permission.ts";
import type { OptionKind } from "./permission-values.ts";
import type { Usage } from "./run.ts";
import { useSchemaMessages } from "./schema-messages.ts";

useSchemaMessages();

/**
 * What an engine does, in one form for all of them. Each adapter turns its engine's own stream into these events; the
 * rest of the program reads nothing else. The comments say which engine forced a decision.
 */
export type EngineEvent =
  | InitEvent
  | DeltaEvent
  /** An agent of ACP sends pieces only: its adapter puts them together. */
  | ({ type: "message" } & Utterance)
  | ({ type: "thinking" } & Utterance)
  | ToolCallEvent
  | ToolResultEvent
  | UsageEvent
  | ResultEvent
  | ErrorEvent
  | CompactedEvent
  | PermissionEvent
  | OversizedEvent;

/** All is optional: Codex tells only its thread's id, opencode has no such line but an id on each of its lines. */
export interface InitEvent {
  type: "init";
  /** What the engine's own resume takes. */
  engine_session?: string;
  model?: string;
}

/** Claude prints one model message as several lines with one id, a block each; every block is an event of its own. */
interface Utterance {
  text: string;
  /** Gemini has none. */
  message_id?: string;
  /** The tool call under which a subagent of the engine said it. */
  parent?: string;
  /** The engine's own words, which no model said: Claude tells an error of its API so. */
  by_engine?: true;
}

/** A piece of a `message` or `thinking` that comes whole later; only for live views. */
export interface DeltaEvent extends Utterance {
  type: "delta";
  of: "message" | "thinking";
}

/** ACP announces a call before its input is known: its adapter waits for the input. */
export interface ToolCallEvent {
  type: "tool_call";
  id: string;
  name: string;
  input: Json;
  /** The message that makes it: others of the same message may come after its result. Only Claude tells. */
  message_id?: string;
  parent?: string;
}

export interface ToolResultEvent {
  type: "tool_result";
  /** The id of its call. */
  id: string;
  /** The tool, where the engine repeats it: a listener that came late has not heard of the call. */
  name?: string;
  output: string;
  failed: boolean;
  /** Of a command that came to its end, where the engine tells it: not of one that was cut off or went on in the background. */
  exit_code?: number;
  /** opencode tells of a call only when it is over, and how long it took. Absent: the listener's clock knows. */
  duration_ms?: number;
  parent?: string;
}

/**
 * Tokens that were used. `message`: by one model message; told again with the same id it replaces what was told before,
 * as Claude repeats the figures on every line of a message. `session`: by the whole engine session since this start; it
 * replaces all that was told before, as `modelUsage` of Claude does. What Codex tells runs on over a resumed thread: its
 * adapter takes the earlier figure off.
 *
 * `input_tokens` are all tokens that the model read, those from a cache too. Codex, Gemini and Qwen count so; Claude and
 * opencode count the cached ones apart, and their adapters add them.
 */
export interface UsageEvent extends Usage {
  type: "usage";
  of: "message" | "session";
  message_id?: string;
  /** The model that said the message, where the engine tells: a subagent may ask another one than its agent. */
  model?: string;
  /** The tool call under which a subagent used them; of `session`, under which the last of them were used. */
  parent?: string;
}

/**
 * The terminal event; without one, nothing was done. Claude may print several, when a subagent outlives the first: the
 * last counts. opencode prints none: its adapter makes one when the stream ends well.
 */
export interface ResultEvent {
  type: "result";
  /** Claude says `subtype: "success"` also of an API error; only its `is_error` counts. */
  failed: boolean;
  /** The last words, or what went wrong. */
  text: string;
  /** Claude and Qwen give one when asked for a schema, but not always. */
  structured?: Json;
  /** Tools that were refused for want of permission. */
  denied: string[];
  /** It ended because it may make no further round. */
  out_of_rounds?: true;
  /** Why the model did not come to the end of its answer, where the engine tells. */
  stop?: AnswerStop;
}

/** The model reached its limit of tokens, or it or its safeguards refused. */
export const answerStops = ["max_tokens", "refusal"] as const;
export type AnswerStop = (typeof answerStops)[number];

/** Something went wrong, and the engine goes on: a retry, a warning (Codex), an unreadable line. */
export interface ErrorEvent {
  type: "error";
  message: string;
  /** What becomes of what the model said of its answer so far: it is said anew, or goes on where it was cut. */
  answer?: "discarded" | "continued";
}

/** The engine shortened what its model sees. Claude and Codex tell of it. */
export interface CompactedEvent {
  type: "compacted";
  text: string;
}

/** The engine waits for permission to make a tool call. Claude takes `allow` and `deny`; ACP brings its own options. */
export interface PermissionEvent {
  type: "permission";
  id: string;
  tool: string;
  input: Json;
  options: PermissionOption[];
  /** The id of the call that waits. */
  tool_call?: string;
  /** What the call would do, where its adapter can tell. */
  action?: CallAction;
  /** The agent's level allows it. Decided before anything is redacted, because a redacted command is another one. */
  within_level?: true;
  /** The policy denies it, for this reason. Decided before anything is redacted, too. */
  denied?: string;
  /** The question with this id is taken back: it was answered elsewhere, such as by a hook of the user's. */
  withdrawn?: true;
}

/** The engine printed a line that is too long to be read. The transcript has it whole. */
export interface OversizedEvent {
  type: "oversized";
  chars: number;
}

/** `result`: it hands in its result to Clew. */
export type CallAction = NonNullable<PermissionRequest["action"]>;

export interface PermissionOption {
  id: string;
  label: string;
  kind: OptionKind;
}

/** What an agent must give in the end. Every message completes "its result …". */
export const agentResult = z.object(
  {
    success: z.boolean({ error: "has no success: true or false" }),
    summary: z.string({ error: "has no summary" }).check(z.regex(/\S/, { error: "has no summary" })),
    /** It stopped by itself before it was done, and can go on later. */
    status: z.nullish(z.literal("paused", { error: "has a status that is not paused" })),
    /** In a work session: the task that it is the result of. */
    task: z.nullish(z.string({ error: "has a task that is no text" })),
    // Models write null where there is nothing to say.
    outputs: z.nullish(
      z.record(z.string(), z.unknown() as z.ZodMiniType<Json>, { error: "has outputs that are no object" }),
    ),
  },
  { error: "is no JSON object" },
);

export interface AgentResult {
  success: boolean;
  summary: string;
  status?: "paused";
  task?: string;
  outputs?: Record<string, Json>;
}

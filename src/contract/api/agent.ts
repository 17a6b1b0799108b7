import * as z from "zod/mini";
import { permissionLevels } from "../engine-abilities.ts";
import type { EngineEvent } from "../engine.ts";
import { givenLimits, reachedLimit } from "../limits.ts";
import { optionKinds } from "../permission-values.ts";
import { usage } from "../run-fields.ts";
import { writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();

/** What a live agent tells: that it began, what it does, that it waits for a permission. */
export const agentNews = [
  z.object({
    type: z.literal("started"),
    /** The live agent: what `send`, `answer` and `stop` take. */
    agent: text,
    session_id: text,
    engine: text,
  }),
  z.object({
    type: z.literal("event"),
    event: z.looseObject({ type: text }) as unknown as z.ZodMiniType<EngineEvent>,
  }),
  z.object({
    type: z.literal("permission"),
    /** The question in the inbox; its answer there counts as well. */
    id: text,
    permission: text,
    tool: text,
    /** What the call is about: its command, its file. */
    subject: text,
    options: z.array(z.object({ id: text, label: text, kind: z.enum(optionKinds) })),
  }),
  /** A permission was answered, here or in the inbox, or is not asked for any more. */
  z.object({ type: z.literal("answered"), permission: text, option: z.nullable(text) }),
  /** Something that a person should know: a limit that cannot hold. */
  z.object({ type: z.literal("warning"), message: text }),
] as const;

export const talkEnded = z.object({
  type: z.literal("ended"),
  session_id: text,
  status: z.enum(["completed", "paused", "failed"]),
  /** What the engine's own resume takes; null when it told none. */
  engine_session: z.nullable(text),
  /** The last words of the agent. */
  answer: text,
  error: z.exactOptional(text),
  usage: z.exactOptional(usage),
  /** Exchanges with a model. */
  rounds: z.exactOptional(z.int()),
  /** The limit at which it was paused, in words, and the command that goes on. */
  limit: z.exactOptional(z.object({ ...reachedLimit.shape, message: text, command: text })),
  /** The permission that nobody answered in time: the agent was stopped for it, and `command` goes on. */
  permission: z.exactOptional(z.object({ tool: text, subject: text, message: text, command: text })),
});

const talkNews = z.discriminatedUnion("type", [...agentNews, talkEnded]);
export type TalkNews = z.infer<typeof talkNews>;

const live = { agent: text };
const done = z.object({});

export const agentOperations = {
  talk: {
    ...writesLocally,
    streams: true,
    about: "Talks with an agent, and records that as a session of kind chat; or goes on with one.",
    request: z.strictObject({
      engine: text,
      prompt: text,
      /** Whether it ends after one answer. */
      one_shot: z.boolean(),
      /** A session of Clew's, or an engine's own. */
      resume: z.exactOptional(text),
      model: z.exactOptional(text),
      /** The agent whose file says role, model and level. */
      agent: z.exactOptional(text),
      level: z.exactOptional(z.enum(permissionLevels)),
      /** What the agent may use from now on. */
      limits: z.exactOptional(givenLimits),
    }),
    response: talkNews,
    errors: [
      "unknown_engine",
      "unknown_session",
      "ambiguous_session",
      "invalid_id",
      "invalid_grimoire",
      "not_possible_now",
    ],
  },
  resume: {
    ...writesLocally,
    streams: true,
    about: "Goes on with any session: in the engine's own session where it has one, else from the record alone.",
    request: z.strictObject({
      session: text,
      /** The engine that the session had last, when absent. */
      engine: z.exactOptional(text),
      /** What a person says; without it, the agent just goes on. */
      prompt: z.exactOptional(text),
      one_shot: z.boolean(),
      /** How long the record may be that another engine is given, in tokens. */
      budget: z.exactOptional(z.int()),
      model: z.exactOptional(text),
      level: z.exactOptional(z.enum(permissionLevels)),
      limits: z.exactOptional(givenLimits),
    }),
    response: talkNews,
    errors: [
      "unknown_engine",
      "unknown_session",
      "ambiguous_session",
      "invalid_id",
      "damaged_session",
      "not_possible_now",
    ],
  },
  send: {
    ...writesLocally,
    about: "Gives a live agent a further message.",
    request: z.strictObject({ ...live, text }),
    response: done,
    errors: ["not_possible_now"],
  },
  answer: {
    ...writesLocally,
    about: "Answers a permission that a live agent waits for.",
    request: z.strictObject({ ...live, permission: text, option: text }),
    response: done,
    errors: ["not_possible_now"],
  },
  stop: {
    ...writesLocally,
    about: "Stops a live agent; its session is paused, or completed when the agent was waiting for a message.",
    request: z.strictObject({ ...live, pause: z.boolean() }),
    response: done,
    errors: [],
  },
} as const satisfies OperationTable;

export type AgentsApi = ApiOf<typeof agentOperations>;

import * as z from "zod/mini";
import { permissionLevels } from "../engine-abilities.ts";
import type { Json } from "../json.ts";
import { givenLimits } from "../limits.ts";
import { workKinds } from "../work-state.ts";
import { agentNews, talkEnded } from "./agent.ts";
import { readsLocally, writes, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();

/** What an agent is to do. */
const task = z.strictObject({ id: text, title: text });

/** Why a work session stopped; `done` when all was done. */
const stopReasons = [
  "done",
  /** The agent stopped by itself before it was done. */
  "paused",
  /** A hard stop: no valid result, or one that tells of a failure. */
  "failed",
  /** A person's Ctrl-C. */
  "interrupted",
  "limit",
  /** No answer to a permission in time. */
  "permission",
  /** The engine cannot go on now, but later. */
  "engine",
  /** Another branch was checked out. */
  "branch",
  /** Nothing that is left is ready. */
  "waiting",
] as const;
export type StopReason = (typeof stopReasons)[number];

const workNews = z.discriminatedUnion("type", [
  ...agentNews,
  z.object({ type: z.literal("task"), session_id: text, engine: text, task, resumes: z.nullable(text) }),
  z.object({ type: z.literal("task_done"), session_id: text, task, summary: text, completed: z.array(text) }),
  z.object({
    ...talkEnded.shape,
    bead: text,
    reason: z.enum(stopReasons),
    /** What this session has closed so far. */
    done: z.array(text),
    /** The command that goes on; null when nothing is left. */
    next: z.nullable(text),
  }),
]);
export type WorkNews = z.infer<typeof workNews>;

const workRequest = z.strictObject({
  kind: z.enum(workKinds),
  bead: text,
  engine: z.exactOptional(text),
  /** The work session to go on with. */
  session: z.exactOptional(text),
  model: z.exactOptional(text),
  agent: z.exactOptional(text),
  level: z.exactOptional(z.enum(permissionLevels)),
  /** Also when it depends on what is not closed. */
  anyway: z.exactOptional(z.boolean()),
  limits: z.exactOptional(givenLimits),
});
export type WorkRequest = z.infer<typeof workRequest>;

const simulation = z.strictObject({
  bead: text,
  task: z.nullable(task),
  engine: text,
  level: z.enum(permissionLevels),
  /** Null when a new one would be made. */
  session: z.nullable(text),
  /** The engine's own session that would go on. */
  engine_session: z.nullable(text),
  prompt: text,
  /** What would be written, as a person would say it. */
  writes: z.array(text),
});
export type WorkSimulation = z.infer<typeof simulation>;

const errors = [
  "unknown_bead",
  "ambiguous_bead",
  "unknown_engine",
  "unknown_session",
  "ambiguous_session",
  "several_active",
  "no_active_session",
  "invalid_id",
  "invalid_grimoire",
  "invalid_template",
  "damaged_session",
  "damaged_beads",
  "not_possible_now",
] as const;

export const workOperations = {
  drive: {
    ...writesLocally,
    streams: true,
    about: "Works on a bead, or on what is ready below it, in a work session of its own or an earlier one.",
    request: workRequest,
    response: workNews,
    errors,
  },
  simulate: {
    ...readsLocally,
    about: "Tells what `drive` would do: prompt, engine, session, and what would be written. Changes nothing.",
    request: workRequest,
    response: simulation,
    errors,
  },
  sync: {
    ...writes,
    about: "Tells an agent its next task, once the current one has a valid result.",
    request: z.strictObject({
      /** The id of the work session. */
      cookie: text,
      /** The result of the current task. */
      result: z.exactOptional(z.unknown() as z.ZodMiniType<Json>),
    }),
    response: z.strictObject({
      /** Whether nothing is left. */
      done: z.boolean(),
      task: z.nullable(z.strictObject({ ...task.shape, prompt: text })),
      session: text,
    }),
    errors,
  },
} as const satisfies OperationTable;

export type WorkApi = ApiOf<typeof workOperations>;

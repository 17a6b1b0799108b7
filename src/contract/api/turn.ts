import * as z from "zod/mini";
import { givenLimits } from "../limits.ts";
import { actionTypes } from "../plan.ts";
import { problem } from "../problem.ts";
import { runStatuses } from "../turn.ts";
import { reads, writes, writesLocally, type ApiOf, type OperationTable } from "./operation.ts";

const text = z.string();
const count = z.int();

/** A session of kind turns, by id, prefix or path; the one that was created last when absent. */
export const turnSession = z.exactOptional(text);
/** What every operation on turns may refuse. */
export const turnErrors = ["unknown_session", "ambiguous_session", "invalid_id", "damaged_session"] as const;

/** What a plan is about. */
export const planSummary = z.object({
  title: text,
  status: z.exactOptional(text),
  plan_type: z.exactOptional(text),
  agent: z.exactOptional(text),
  goal: z.exactOptional(text),
  /** The context list for the next turn. */
  vault: z.array(text),
  memos: z.array(z.object({ change: z.enum(["add", "remove"]), text })),
  actions: z.array(
    z.object({
      type: z.enum(actionTypes),
      /** Its path, command, sources or words, on one line. */
      about: text,
      description: text,
    }),
  ),
});
export type PlanSummary = z.infer<typeof planSummary>;

/** What is wrong with a plan, with a picture of where. */
const picturedProblem = z.object({ ...problem.shape, picture: text });
export type PicturedProblem = z.infer<typeof picturedProblem>;

/** The list that named a file first; `recorded` in a branch, which keeps what its turn was shown. */
const contextLevel = z.enum(["global", "session", "vault", "read", "research", "recorded"]);

const contextFile = z.object({
  path: text,
  level: contextLevel,
  bytes: count,
  /** An estimate from above. */
  tokens: count,
  missing: z.exactOptional(z.literal(true)),
  /** Why its content is not shown. */
  skipped: z.exactOptional(text),
});
export type ContextFile = z.infer<typeof contextFile>;

/** A line of a context list that brings in nothing. */
const emptyLine = z.object({
  level: contextLevel,
  /** Where it stands in its list, from 1; 0 when that is not known. */
  line: count,
  text,
  /** Completes "TEXT …". */
  why: text,
});
export type EmptyLine = z.infer<typeof emptyLine>;

const turnContext = z.object({
  session_id: text,
  /** The turn that would be made, and the one that it follows. */
  turn: text,
  after: z.nullable(text),
  agent: text,
  files: z.array(contextFile),
  /** What a line of a lower level took out. */
  removed: z.array(z.object({ path: text, level: contextLevel, by: text })),
  empty: z.array(emptyLine),
  /** The plan that has to be executed first; null without one. */
  open: z.nullable(text),
  /** Of all that would be sent, but for the message. */
  tokens: count,
  budget: count,
});
export type TurnContext = z.infer<typeof turnContext>;

const tokens = z.object({ input: count, output: count, cached: z.exactOptional(count) });

/** A plan that was made. */
const plannedTurn = z.object({
  type: z.literal("planned"),
  session_id: text,
  turn: text,
  /** The turn's folder. */
  path: text,
  agent: text,
  engine: text,
  model: z.exactOptional(text),
  problems: z.array(picturedProblem),
  /** Absent when it is no valid plan. */
  plan: z.exactOptional(planSummary),
  /** How often its errors were handed back. */
  repairs: count,
  /** What the model saw beside `_context.log`: what the engine could not turn off. */
  beside_context: z.array(text),
  usage: z.exactOptional(z.object({ ...tokens.shape, cost_usd: z.exactOptional(z.number()) })),
});

const planNews = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("asking"),
    session_id: text,
    turn: text,
    agent: text,
    engine: text,
    repair: count,
    tokens: count,
  }),
  /** How much of the answer has come in. */
  z.object({ type: z.literal("progress"), chars: count }),
  z.object({ type: z.literal("warning"), message: text }),
  plannedTurn,
]);
export type PlanNews = z.infer<typeof planNews>;

const listedTurn = z.object({
  turn: text,
  /** The turn before it in its line; null for the first. */
  after: z.nullable(text),
  /** The turn that it is a branch of. */
  from: z.nullable(text),
  agent: z.nullable(text),
  title: z.nullable(text),
  /** `branched`: without a plan. `invalid`: with one that cannot be executed. `missing`: its plan is gone, and was never executed. */
  status: z.enum(["branched", "planned", "invalid", "missing", ...runStatuses]),
  branched_at: z.nullable(text),
  planned_at: z.nullable(text),
  executed_at: z.nullable(text),
  undone_at: z.nullable(text),
  /** Files that it changed. */
  files: z.array(text),
});
export type ListedTurn = z.infer<typeof listedTurn>;

const planRequest = z.strictObject({
  session: turnSession,
  /** May be absent where the last turn handed over to an agent, and to repair a plan. */
  message: z.exactOptional(text),
  agent: z.exactOptional(text),
  engine: z.exactOptional(text),
  model: z.exactOptional(text),
  /** The turn after which it stands, or the empty branch that it fills. */
  from: z.exactOptional(text),
  /** Whether the errors of a plan are handed back, at most twice. */
  repair: z.exactOptional(z.boolean()),
  /** How much may be sent, in tokens. */
  budget: z.exactOptional(count),
  limits: z.exactOptional(givenLimits),
});
const planErrors = [
  ...turnErrors,
  "unknown_turn",
  "unknown_engine",
  "invalid_grimoire",
  "engine_failed",
  "limit_reached",
  "not_possible_now",
] as const;

export const turnOperations = {
  create: {
    ...writes,
    about: "Makes a session for turns, with an empty context list.",
    request: z.strictObject({ name: text }),
    response: z.object({
      session_id: text,
      /** The session's folder. */
      path: text,
      /** The session that has the name already; then this one has a number behind it. */
      namesake: z.exactOptional(text),
    }),
    errors: [],
  },
  context: {
    ...reads,
    about: "Tells what the next plan would be given, and from which context list each file comes.",
    request: z.strictObject({ session: turnSession, from: z.exactOptional(text), budget: z.exactOptional(count) }),
    response: turnContext,
    errors: [...turnErrors, "unknown_turn", "not_possible_now"],
  },
  check: {
    ...reads,
    about: "Checks the text of a plan: all that is wrong, or what it is about.",
    request: z.strictObject({
      text,
      /** What it is called in messages. */
      file: z.exactOptional(text),
    }),
    response: z.object({ problems: z.array(picturedProblem), plan: z.exactOptional(planSummary) }),
    errors: [],
  },
  plan: {
    ...writesLocally,
    streams: true,
    about: "Has an agent write the next plan, and keeps it with all that the agent was told.",
    request: planRequest,
    response: planNews,
    errors: planErrors,
  },
  makePlan: {
    ...writes,
    about: "Has an agent write the next plan, and answers when it is there.",
    request: planRequest,
    response: plannedTurn,
    errors: planErrors,
  },
  branch: {
    ...writes,
    about: "Makes a branch of a turn, with its context as it was recorded.",
    request: z.strictObject({
      session: turnSession,
      turn: text,
      /** Whether it is given the turn's plan, too, so that it can be executed again. */
      same_plan: z.exactOptional(z.boolean()),
    }),
    response: z.object({
      session_id: text,
      turn: text,
      path: text,
      /** Files that the turn it was made from changed, and that are as it left them as far as Clew knows: it was not undone. */
      still_changed: z.array(text),
    }),
    errors: [...turnErrors, "unknown_turn", "not_possible_now"],
  },
  list: {
    ...reads,
    about: "Lists the turns of a session with their branches, and what the next commands would take.",
    request: z.strictObject({ session: turnSession }),
    response: z.object({
      session_id: text,
      turns: z.array(listedTurn),
      /** The turn that `plan` would make; null while a plan has to be executed first. */
      next_plan: z.nullable(text),
      /** The agent that the last turn handed over to, so that `plan` needs no message; null without one. */
      handed_to: z.nullable(text),
      /** The turn that `execute` would take; null without one. */
      next_execute: z.nullable(text),
    }),
    errors: turnErrors,
  },
} as const satisfies OperationTable;

export type TurnsApi = ApiOf<typeof turnOperations>;

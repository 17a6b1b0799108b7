import * as z from "zod/mini";
import { address, at } from "../run-fields.ts";
import { decides, reads, type OperationTable } from "./operation.ts";
import { lookupErrors } from "./run-lookup.ts";

const text = z.string();

/** What an agent was last seen at, in one line. */
const activity = z.object({ kind: z.enum(["tool", "text", "thinking", "result", "error"]), text });

/** The handle of an agent at work. It ends with the agent: `done` of what it worked on stands in the run's steps. */
export const runAgent = z.object({
  /** `RUN:STEP#ATTEMPT` */
  id: text,
  run: text,
  ...address,
  engine: text,
  model: z.exactOptional(text),
  /** What the engine calls its session; absent while the agent is starting. */
  engine_session: z.exactOptional(text),
  /** When the attempt began. */
  started: at,
  /** The last ten, oldest first. */
  activities: z.array(activity),
  /** What it is at; null while it is starting. */
  current: z.nullable(activity),
  /** Whether it takes further messages. */
  takes_messages: z.boolean(),
  /** The permissions that it waits for, as the inbox names them. */
  permissions: z.array(text),
});
export type RunAgent = z.infer<typeof runAgent>;

/** `delivered` is false when no driver has taken the signal up yet: it is on disk, and the run's log will tell. */
const deliveryReceipt = z.object({ run_id: text, agent: text, delivered: z.boolean() });

const steerErrors = [...lookupErrors, "not_possible_now"] as const;

/** What can be asked of agents that work in runs. */
export const runAgentOperations = {
  agents: {
    ...reads,
    about: "The agents that work in a run now, or in all runs: step, engine, what each did last and is at.",
    request: z.strictObject({ run: z.optional(text) }),
    response: z.object({ agents: z.array(runAgent) }),
    errors: lookupErrors,
  },
  sendToAgent: {
    ...decides,
    about: "Sends a further message to the agent that works in a run. It was delivered when this answers so.",
    request: z.strictObject({ run: text, text }),
    response: deliveryReceipt,
    errors: steerErrors,
  },
  stopAgent: {
    ...decides,
    about: "Stops the agent that works in a run, with `kill` at once: its step fails, and the run waits for a person.",
    request: z.strictObject({ run: text, kill: z.optional(z.boolean()) }),
    response: deliveryReceipt,
    errors: steerErrors,
  },
} as const satisfies OperationTable;

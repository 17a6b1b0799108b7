import * as z from "zod/mini";
import { decides, reads, type OperationTable } from "./operation.ts";
import { runAgent } from "./run-agent.ts";
import { sessionLookupErrors, sessionName } from "./session-name.ts";

const text = z.string();
const { engine, engine_session, started, activities, current, takes_messages, permissions } = runAgent.shape;

/** The handle of an agent at work in a work session or a talk. It ends with the agent: what became of it stands in the session. */
export const sessionAgent = z.object({
  /** Clew's own name of the agent. */
  id: text,
  session: text,
  engine,
  engine_session,
  started,
  activities,
  current,
  takes_messages,
  permissions,
});
export type SessionAgent = z.infer<typeof sessionAgent>;

const told = z.object({ session_id: text, agent: text });

const steerErrors = [...sessionLookupErrors, "not_possible_now"] as const;

/** What can be asked of agents that work in work sessions and talks. */
export const sessionAgentOperations = {
  agents: {
    ...reads,
    about: "The agents that work in work sessions and talks now: engine, what each did last and is at.",
    request: z.strictObject({ session: sessionName }),
    response: z.object({ agents: z.array(sessionAgent) }),
    errors: sessionLookupErrors,
  },
  sendToAgent: {
    ...decides,
    about: "Sends a further message to the agent of a work session or a talk. It was delivered when this answers.",
    request: z.strictObject({ session: text, text }),
    response: told,
    errors: steerErrors,
  },
  stopAgent: {
    ...decides,
    about: "Stops the agent of a work session or a talk, with `kill` at once: its session is paused.",
    request: z.strictObject({ session: text, kill: z.optional(z.boolean()) }),
    response: told,
    errors: steerErrors,
  },
} as const satisfies OperationTable;

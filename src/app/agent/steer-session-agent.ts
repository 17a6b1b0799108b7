import type { SessionAgent } from "../../contract/api/session-agent.ts";
import type { SessionsApi } from "../../contract/api/session.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import type { Caller } from "../run/ports.ts";
import { refuseForeignSession } from "../session/authority.ts";
import type { SessionParts } from "../session/parts.ts";
import type { AgentHandles, AgentOrder } from "./agent-handles.ts";

export interface SteerParts {
  sessions: SessionParts;
  find: (name: string | undefined) => Promise<string>;
  handles: AgentHandles;
  redact: () => Promise<RedactValue>;
  caller: () => Promise<Caller>;
  newId: () => string;
  sleep: (ms: number) => Promise<void>;
}

const lookEveryMs = 50;
/** The driver looks five times a second; one that is busy, or whose agent is only starting, may take longer. */
const longestLooks = 200;
const fewLooks = 10;

/** What a person does with agents of work sessions and talks, whichever process drives them. */
export function sessionAgentsApi(parts: SteerParts): Pick<SessionsApi, "agents" | "sendToAgent" | "stopAgent"> {
  const { find, handles } = parts;
  return {
    async agents({ session }) {
      const id = session === undefined ? undefined : await find(session);
      return { agents: handles.list().filter((agent) => id === undefined || agent.session === id) };
    },
    async sendToAgent({ session, text }) {
      if (text.trim() === "")
        throw new ClewError("usage", "the message is empty", 'clew session send ID "what it is told"');
      return steer(parts, await find(session), { kind: "message", text });
    },
    stopAgent: async ({ session, kill = false }) => steer(parts, await find(session), { kind: "stop", kill }),
  };
}

/** Gives an order to the process that drives the agent, and waits until that one has told what became of it. */
async function steer(
  { sessions, handles, redact, caller, newId, sleep }: SteerParts,
  session: string,
  order: AgentOrder,
): Promise<{ session_id: string; agent: string }> {
  await refuseForeignSession(sessions, await caller(), session, "steered");
  const agent = agentIn(handles, session);
  if (!agent) throw notPossible(`no agent works in the session ${session}`, session);
  if (order.kind === "message" && !agent.takes_messages) throw takesNone(agent);
  const id = newId();
  handles.order(session, id, (await redact())(order));
  const what = order.kind === "message" ? "the message was not delivered" : "the agent was not stopped";
  let looksAfterEnd = 0;
  for (let looks = 0; ; looks++) {
    const end = handles.endOf(session, id);
    if (end?.refusal !== undefined) throw notPossible(`${what}: ${end.refusal}`, session);
    if (end) return { session_id: session, agent: agent.id };
    const isGone = agentIn(handles, session)?.id !== agent.id;
    // What was taken up just before is told of a moment later.
    if (isGone && looksAfterEnd++ >= fewLooks) throw notPossible(`${what}: its agent has ended`, session);
    if (looks >= longestLooks && handles.withdraw(session, id))
      throw notPossible(`${what}: the process that drives it did not take it up`, session);
    await sleep(lookEveryMs);
  }
}

function agentIn(handles: AgentHandles, session: string): SessionAgent | undefined {
  return handles.list().find((agent) => agent.session === session);
}

function notPossible(message: string, session: string): ClewError {
  return new ClewError("not_possible_now", message, `clew session show ${session} tells how it stands`);
}

function takesNone({ engine, session }: SessionAgent): ClewError {
  const hint = `wait until it has ended; or clew session stop-agent ${session}, and go on with another message`;
  return new ClewError("not_available", `agents of ${engine} take no message while they work`, hint);
}

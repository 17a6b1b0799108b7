import type { RunAgent } from "../../contract/api/run-agent.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { AgentSignal } from "../../run/signal-rules.ts";
import type { RunControl } from "./control.ts";
import { liveAgent, type LiveAgentParts } from "./live-agents.ts";
import { statusNow } from "./read.ts";
import { wayOn } from "./signals.ts";

interface Parts extends LiveAgentParts {
  control: Pick<RunControl, "signalAgent" | "withdrawSignal">;
  sleep: (ms: number) => Promise<void>;
}

type SignalLine = Extract<JournalLine, { type: "run.signal" }>;
export interface Delivery {
  run_id: string;
  agent: string;
  delivered: boolean;
}

const lookEveryMs = 50;
/** The driver looks for signals ten times a second; one that is busy may take longer. */
const longestLooks = 200;

/**
 * Gives a signal to the agent that works in a run, by the process that drives it, and waits until that one has told what became of it.
 * Throws when there is no agent, or it was not delivered.
 */
export async function steerAgent(parts: Parts, runId: string, signal: AgentSignal): Promise<Delivery> {
  const { store, control, sleep } = parts;
  const agent = liveAgent(parts, runId);
  if (!agent) throw noAgent(parts, runId);
  if (signal.kind === "message" && !agent.takes_messages) throw takesNone(agent);
  const from = store.size(runId);
  const id = await control.signalAgent(runId, signal, agent);
  for (let looks = 0; looks < longestLooks; looks++) {
    const line = lineOf(parts, { runId, id, from });
    if (line?.taken === false) throw notDelivered(agent, signal, line.refusal);
    if (line) return { run_id: runId, agent: agent.id, delivered: true };
    // No driver comes back to an attempt that has ended.
    if (store.state(runId).status !== "running" && !lineOf(parts, { runId, id, from })) {
      await control.withdrawSignal(runId, id);
      throw notDelivered(agent, signal, "its agent has ended");
    }
    await sleep(lookEveryMs);
  }
  return { run_id: runId, agent: agent.id, delivered: false };
}

function lineOf(
  { store }: Parts,
  { runId, id, from }: { runId: string; id: string; from: number },
): SignalLine | undefined {
  for (const { line } of store.lines(runId, from)) if (line.type === "run.signal" && line.id === id) return line;
  return undefined;
}

function noAgent({ store }: Parts, runId: string): ClewError {
  const state = store.state(runId);
  const visible = statusNow(store, state);
  const at = visible === "running" && state.current ? `, at the step ${state.current.path}` : "";
  return new ClewError(
    "not_possible_now",
    `no agent works in run ${runId}: it is ${visible}${at}`,
    wayOn(runId, visible),
  );
}

function takesNone({ engine, run }: RunAgent): ClewError {
  return new ClewError(
    "not_available",
    `agents of ${engine} take no message while they work`,
    `wait until it has ended; or clew run stop-agent ${run}, and clew run retry ${run} once its task is mended`,
  );
}

function notDelivered({ run, path }: RunAgent, { kind }: AgentSignal, refusal = "it came too late"): ClewError {
  const what = kind === "message" ? "the message was not delivered" : "the agent was not stopped";
  return new ClewError(
    "not_possible_now",
    `${what}, to the step ${path}: ${refusal}`,
    `clew run show ${run} tells how it stands`,
  );
}

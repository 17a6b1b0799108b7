import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type {
  AgentEnd,
  AgentHandle,
  AgentListeners,
  AgentProcess,
  AgentRequest,
  AgentTask,
} from "../../app/engine/agents.ts";
import type { ResultTools } from "../../app/engine/result-tool.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import { createRedactor } from "../../redact/redactor.ts";
import { nodeDisk } from "../files/node-disk.ts";
import { isAlive, marked, newMark, until } from "../shell/children.fixture.ts";
import type { AgentTimeouts } from "./agent-limits.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import type { Engine } from "./engine.ts";
import { scripted, secretValue } from "./perform.fixture.ts";
import { engineAgents } from "./engine-agents.ts";
import { transcriptFiles } from "./transcript-files.ts";

export interface Live {
  agent: AgentHandle;
  events: EngineEvent[];
  processes: AgentProcess[];
  mark: string;
  /** Waits for an event of this type, the first or a later one. */
  seen<Type extends EngineEvent["type"]>(type: Type, count?: number): Promise<Extract<EngineEvent, { type: Type }>>;
  transcript(): string;
}

/** What a test asks for beside the usual. */
export type Given = Partial<
  Pick<AgentRequest, "engine" | "resume" | "signal"> &
    Pick<AgentTask, "until" | "prompt" | "level" | "bare" | "model"> &
    AgentListeners
> & {
  /** What the engine inherits beside the PATH. */
  env?: Record<string, string>;
  /** How long `seen` waits. */
  patienceMs?: number;
  resultTools?: ResultTools;
  /** Where its hooks are told. */
  hooks?: Pick<EngineAgentParts, "hooks" | "answerHook">;
  timeouts?: Partial<AgentTimeouts>;
};

/** An agent of this engine in a folder of its own that stays for messages; transcripts stand below it. */
export function start(place: string, engine: Engine, given: Given = {}, stopMs = 5_000): Live {
  const events: EngineEvent[] = [];
  const processes: AgentProcess[] = [];
  const mark = newMark();
  const transcripts = join(place, "transcripts");
  const { resultTools } = given;
  const agents = engineAgents({
    engines: [engine],
    redactor: createRedactor({ extraValues: [secretValue] }),
    transcripts: transcriptFiles(transcripts, nodeDisk, () => 0),
    env: { PATH: process.env["PATH"] },
    newId: () => "agent-1",
    timeouts: { stopMs, firstEventMs: 60_000, ...given.timeouts },
    maxOutputBytes: 64 * 1024 * 1024,
    ...given.hooks,
    ...(resultTools && { resultTools: async () => resultTools }),
  });
  const { until: end = "talk", prompt = "Mend the roof.", level = "work", env = {}, bare, model, ...others } = given;
  const {
    onStarted,
    onEvent,
    onStderr,
    onHook,
    patienceMs,
    resultTools: _,
    timeouts: __,
    hooks: ___,
    ...request
  } = others;
  const agent = agents.run({
    engine: engine.name,
    task: { prompt, level, until: end, ...(bare && { bare }), ...(model !== undefined && { model }) },
    place: { folder: place, env, mark },
    settings: { script: join(place, "script.json") },
    signal: new AbortController().signal,
    transcript: { owner: "session-1", label: "mend" },
    listeners: {
      onStarted: onStarted ?? ((process) => void processes.push(process)),
      onEvent(event, line) {
        events.push(event);
        onEvent?.(event, line);
      },
      onStderr: onStderr ?? (() => {}),
      ...(onHook && { onHook }),
    },
    ...request,
  });
  const ofType = <Type extends EngineEvent["type"]>(type: Type): Extract<EngineEvent, { type: Type }>[] =>
    events.filter((event): event is Extract<EngineEvent, { type: Type }> => event.type === type);
  return {
    agent,
    events,
    processes,
    mark,
    async seen(type, count = 1) {
      await until(() => ofType(type).length >= count, patienceMs);
      return ofType(type)[count - 1]!;
    },
    transcript: () =>
      readdirSync(join(transcripts, "session-1"))
        .map((name) => readFileSync(join(transcripts, "session-1", name), "utf8"))
        .join(""),
  };
}

/** A scripted agent that plays these turns. */
export function play(place: string, turns: object[], given: Given = {}): Live {
  writeFileSync(join(place, "script.json"), JSON.stringify({ turns }));
  return start(place, scripted, given);
}

/** An agent is gone only with all that it started. */
export async function ended({ agent, mark, processes }: Live): Promise<AgentEnd> {
  const end = await agent.done;
  const alive = [...marked(mark), ...processes.map(({ pid }) => pid).filter(isAlive)];
  if (alive.length > 0) throw new Error(`These are still there: ${alive.join(", ")}`);
  return end;
}

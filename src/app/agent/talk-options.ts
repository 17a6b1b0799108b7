import { ClewError } from "../../contract/errors.ts";
import type { PermissionLevel } from "../../contract/engine-abilities.ts";
import type { Limits } from "../../contract/limits.ts";
import type { PinnedAgent, RunSettings } from "../../contract/pinned-run.ts";
import { limitsOfAgent } from "../../grimoire/agent/agent-options.ts";
import { engineHint, refuseUnstartable, type EngineStarts } from "../engine/engine-starts.ts";
import type { AgentTask } from "../engine/agents.ts";
import type { TalkLimits } from "./chat-budget.ts";

/** What a person asked for. */
interface Asked {
  engine: string;
  model?: string;
  level?: PermissionLevel;
  /** The name of the agent whose file counts. */
  agent?: string;
  limits?: Limits;
}

/** What an agent works with that no step of a grimoire describes. */
export interface TalkOptions {
  model: string | undefined;
  level: PermissionLevel;
  role: string | undefined;
  tools: string[] | undefined;
  limits: TalkLimits | undefined;
}

/** What was asked for goes first, then the agent's file. A model belongs to the engine that is named beside it. */
export function talkOptions(
  { engine, model, level, agent: name = "", limits }: Asked,
  agent: PinnedAgent | undefined,
): TalkOptions {
  const isItsEngine = agent?.engine === undefined || agent.engine === engine;
  return {
    model: model ?? (isItsEngine ? agent?.model : undefined),
    level: level ?? agent?.level ?? "work",
    role: agent?.role,
    tools: agent?.tools,
    limits: limitsOf(name, limits, agent && limitsOfAgent(agent)),
  };
}

/** What an agent with these options is asked for. */
export function taskWith(
  { model, role, level, tools }: TalkOptions,
  { prompt, until, rounds }: Pick<AgentTask, "prompt" | "until"> & { rounds: number | undefined },
): AgentTask {
  return {
    prompt,
    ...(model !== undefined && { model }),
    ...(role !== undefined && { role }),
    level,
    ...(tools && { tools }),
    until,
    ...(rounds !== undefined && { rounds }),
  };
}

function limitsOf(agent: string, options: Limits | undefined, ofFile: Limits | undefined): TalkLimits | undefined {
  if (!options && !ofFile) return undefined;
  return { options: options ?? {}, ...(ofFile && { file: { agent, limits: ofFile } }) };
}

/** Throws a ClewError when there is no such engine, or it cannot start. */
export function refuseEngine(engines: EngineStarts, settings: Pick<RunSettings, "script">, name: string): void {
  if (!engines.names.includes(name)) {
    throw new ClewError("unknown_engine", `there is no engine ${name}`, engineHint(name, engines.names));
  }
  refuseUnstartable(engines, name, settings);
}

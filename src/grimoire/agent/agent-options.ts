import type { AgentStep } from "../../contract/grimoire.ts";
import type { Limits } from "../../contract/limits.ts";
import type { PinnedAgent, RunSettings } from "../../contract/pinned-run.ts";

/** What an agent of a step works with. */
export type AgentOptions = Pick<PinnedAgent, "model" | "level" | "role" | "tools"> & {
  engine: string;
  limits?: Limits;
};

type Source = Pick<AgentStep, "engine" | "model">;

/** By flag, step, agent's file and settings, in this order. */
export function agentOptions(
  step: Source,
  file: PinnedAgent | undefined,
  settings: Pick<RunSettings, "engine" | "engine_by_flag">,
): AgentOptions {
  const flag = settings.engine_by_flag ? settings.engine : undefined;
  const engine = flag ?? step.engine ?? file?.engine ?? settings.engine;
  const model = modelFor(engine, step) ?? (file && modelFor(engine, file));
  const { level, role, tools } = file ?? {};
  const limits = file && limitsOfAgent(file);
  return {
    engine,
    ...(model && { model }),
    ...(level && { level }),
    ...(role !== undefined && { role }),
    ...(tools && { tools }),
    ...(limits && { limits }),
  };
}

/** What its file lets an agent use; undefined when it has no limits. */
export function limitsOfAgent({ max_cost, max_tokens, max_rounds, max_time_ms }: PinnedAgent): Limits | undefined {
  const limits: Limits = {
    ...(max_cost !== undefined && { max_cost_usd: max_cost }),
    ...(max_tokens !== undefined && { max_tokens }),
    ...(max_rounds !== undefined && { max_rounds }),
    ...(max_time_ms !== undefined && { max_time_ms }),
  };
  return Object.keys(limits).length === 0 ? undefined : limits;
}

/** What names an engine names a model of that engine, which says nothing to another. */
function modelFor(engine: string, source: Source): string | undefined {
  return source.engine === undefined || source.engine === engine ? source.model : undefined;
}

/** The name of an agent's file, without its ending: `coder@2` is a version of `coder`. Undefined when no file can have it. */
export function agentFileName(agent: string): string | undefined {
  const name = agent.replace(/@[^@]*$/, "");
  return agentName.test(name) ? name : undefined;
}

const agentName = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** The agents that steps name, by the name of their file. */
export function pinnedAgent(
  agents: Record<string, PinnedAgent> | undefined,
  agent: string | undefined,
): PinnedAgent | undefined {
  const name = agent === undefined ? undefined : agentFileName(agent);
  return name !== undefined && agents && Object.hasOwn(agents, name) ? agents[name] : undefined;
}

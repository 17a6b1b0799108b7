import type { AgentStep } from "../../contract/grimoire.ts";
import type { PinnedAgent } from "../../contract/pinned-run.ts";
import type { PreviewStep } from "../../contract/preview.ts";
import { nearest } from "../../text/nearest.ts";
import { agentFileName, pinnedAgent, agentOptions, type AgentOptions } from "../agent/agent-options.ts";
import { didYouMean } from "../definition/words.ts";
import type { StepFindings } from "./findings.ts";

/** The engines that there are, and what a grimoire has to know of them. */
export interface KnownEngines {
  names: readonly string[];
  /** The engine of the settings. */
  configured: string;
  /** Those that let an agent use only the tools that its file names. */
  keepingTools: readonly string[];
}

export interface AgentSurroundings {
  /** Agents by the name of their file, and the names of all files, also of those that cannot be read. */
  agents: Record<string, PinnedAgent>;
  agentNames: readonly string[];
  /** The engine that the command names. */
  engine: string | undefined;
  /** What is known of engines; undefined when they are not looked at. */
  engines: KnownEngines | undefined;
}

/**
 * Which agent, engine, model and level a step gets, as far as it is known before the settings are: those say only which engine
 * works where nothing else does.
 */
export function previewAgent(
  step: AgentStep,
  surroundings: AgentSurroundings,
  findings: StepFindings,
): Partial<PreviewStep> {
  refuseTemplates(step, findings);
  const { agents, agentNames, engine: flag } = surroundings;
  const { agent } = step;
  const file = pinnedAgent(agents, agent);
  const name = agent === undefined ? undefined : agentFileName(agent);
  if (name !== undefined && !agentNames.includes(name)) {
    const suggestion = nearest(name, [...agentNames]);
    const message = `there is no file .clew/agents/${name}.md, so that the agent is only a name`;
    if (suggestion !== undefined)
      findings.add(["agent"], { severity: "warning", message, hint: `did you mean ${suggestion}?` });
  }
  const settings = flag === undefined ? { engine: "" } : ({ engine: flag, engine_by_flag: true } as const);
  const { engine, ...chosen } = agentOptions(step, file, settings);
  if (surroundings.engines) checkEngine(step, { ...chosen, engine }, surroundings.engines, findings);
  return {
    ...(agent && { agent }),
    ...(file && { agent_file: file.file }),
    ...(engine && { engine }),
    ...chosen,
  };
}

function refuseTemplates({ agent, engine, model }: AgentStep, findings: StepFindings): void {
  for (const [key, text] of Object.entries({ agent, engine, model })) {
    if (!text?.includes("{{")) continue;
    findings.add([key], { severity: "error", message: `${key} takes no template`, hint: "write the name itself" });
  }
}

function checkEngine(
  step: AgentStep,
  { engine, tools }: AgentOptions,
  { names, configured, keepingTools }: KnownEngines,
  findings: StepFindings,
): void {
  if (step.engine === engine && !names.includes(engine)) {
    const hint = didYouMean(nearest(engine, [...names])) ?? `there are ${names.join(", ")}`;
    // Another user's own settings may have it: a run that needs it is refused.
    findings.add(["engine"], { severity: "warning", message: `there is no engine ${engine}`, hint });
  }
  const used = engine || configured;
  if (!tools || !names.includes(used) || keepingTools.includes(used)) return;
  const message = `tools of the agent's file does not hold: ${used} cannot be kept to a list of tools`;
  findings.add(["agent"], { severity: "warning", message, hint: `these can: ${keepingTools.join(", ")}` });
}

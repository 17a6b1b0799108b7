import type { CheckedGrimoire } from "../../contract/api/grimoire.ts";
import { allSteps, type Grimoire } from "../../contract/grimoire.ts";
import { ClewError } from "../../contract/errors.ts";
import type { PinnedAgent } from "../../contract/pinned-run.ts";
import type { Problem } from "../../contract/problem.ts";
import { nearest } from "../../text/nearest.ts";
import { agentFileName } from "../../grimoire/agent/agent-options.ts";
import type { KnownEngines } from "../../grimoire/preview/preview-agent.ts";
import type { ReadAgent } from "../../grimoire/agent/read-agent.ts";
import type { DefinitionFile, DefinitionFiles } from "./ports.ts";

export interface AgentParts {
  files: Pick<DefinitionFiles, "agent" | "agentNames">;
  /** Whether the user lets files of a repository loosen what agents may do. */
  allowsFullAgents: () => Promise<boolean>;
  /** What is known of engines. */
  engines: () => Promise<KnownEngines>;
}

export interface AgentsOfGrimoire {
  /** By the name of their file. */
  agents: Record<string, PinnedAgent>;
  problems: Problem[];
}

/** The agents whose files a grimoire's steps name. A name without a file is no more than a name. Without names of engines, those of the files are not checked. */
export async function agentsOf(
  parts: AgentParts,
  { steps }: Pick<Grimoire, "steps">,
  engineNames?: readonly string[],
): Promise<AgentsOfGrimoire> {
  const names = [...allSteps(steps)].flatMap((step) => (step.type === "agent" ? [step.agent ?? ""] : []));
  const agents: Record<string, PinnedAgent> = {};
  const problems: Problem[] = [];
  for (const name of new Set(names.map(agentFileName))) {
    const read = name === undefined ? undefined : await readAgentFile(parts, name, engineNames);
    if (read?.agent) agents[name!] = read.agent;
    problems.push(...(read?.problems ?? []));
  }
  return { agents, problems };
}

/** All files of agents: not only runs take them up. */
export async function validateAgents(parts: AgentParts): Promise<CheckedGrimoire[]> {
  const { names } = await parts.engines();
  const files = parts.files.agentNames().flatMap((name) => parts.files.agent(name) ?? []);
  const checked = files.map(async (each): Promise<CheckedGrimoire> => {
    const { problems } = await readOne(parts, each, names);
    const name = each.file.replace(/^.*\//, "").replace(/\.md$/, "");
    return { name, file: each.file, problems, valid: problems.length === 0 };
  });
  return Promise.all(checked);
}

/** The agent with this name. Throws a ClewError when it has no file, or something is wrong with it. */
export async function requireAgent(parts: AgentParts, name: string): Promise<PinnedAgent> {
  const read = await readAgentFile(parts, name);
  if (!read) {
    const names = parts.files.agentNames();
    const hint = names.length === 0 ? `write .clew/agents/${name}.md` : `there are ${names.join(", ")}`;
    throw new ClewError("invalid_input", `there is no agent ${name} in .clew/agents`, hint);
  }
  return validAgent(read);
}

/** The agent with this name that plans turns; some are built in. Throws as `requireAgent` does. */
export async function readPlanningAgent(
  parts: Pick<AgentParts, "allowsFullAgents"> & {
    files: Pick<DefinitionFiles, "planningAgent" | "planningAgentNames">;
  },
  name: string,
): Promise<PinnedAgent> {
  const fileName = agentFileName(name);
  const file = fileName === undefined ? undefined : parts.files.planningAgent(fileName);
  if (file) return validAgent(await readOne(parts, file));
  const names = parts.files.planningAgentNames();
  const suggestion = nearest(name, names);
  throw new ClewError(
    "invalid_input",
    `there is no agent ${name}`,
    suggestion === undefined
      ? `there are ${names.join(", ")}; .clew/agents/NAME.md makes another`
      : `did you mean ${suggestion}?`,
  );
}

function validAgent({ agent, problems }: ReadAgent): PinnedAgent {
  if (agent) return agent;
  const [first] = problems;
  throw new ClewError(
    "invalid_grimoire",
    `${first!.file}:${first!.line}: ${first!.message}`,
    "clew grimoire validate tells everything that is wrong",
  );
}

/** An agent by the name of its file; undefined when there is none. */
async function readAgentFile(
  parts: AgentParts,
  name: string,
  engineNames?: readonly string[],
): Promise<ReadAgent | undefined> {
  const file = parts.files.agent(name);
  return file && (await readOne(parts, file, engineNames));
}

async function readOne(
  parts: Pick<AgentParts, "allowsFullAgents">,
  file: DefinitionFile,
  engineNames?: readonly string[],
): Promise<ReadAgent> {
  const { readAgent } = await import("../../grimoire/agent/read-agent.ts");
  return readAgent(file, { mayLoosen: await parts.allowsFullAgents(), engineNames });
}

import type { RunAgent } from "../../contract/api/run-agent.ts";
import type { Screen } from "../context.ts";
import { cleanLine } from "./clean.ts";
import { placeText } from "./run-words.ts";
import { table, type Cell, type Column } from "./table.ts";
import { ago } from "./time.ts";

/** What is shown of every agent at work, behind what it works on. */
export const agentColumns: Column[] = [
  { title: "ENGINE", givesWay: 1 },
  { title: "BEGAN", givesWay: 2 },
  { title: "MESSAGES", givesWay: 3 },
  { title: "NOW", wraps: 2 },
];

type AgentAtWork = Pick<RunAgent, "engine" | "started" | "takes_messages" | "permissions" | "current">;

export function agentCells(screen: Screen, agent: AgentAtWork): Cell[] {
  return [
    cleanLine(agent.engine),
    ago(agent.started, screen.nowMs()),
    agent.takes_messages ? "yes" : { text: "no", paint: screen.colors.dim },
    agent.permissions.length > 0
      ? { text: `asks you: clew inbox answer ${agent.permissions[0]}`, paint: screen.colors.yellow }
      : cleanLine(agent.current ? `${agent.current.kind}: ${agent.current.text}` : "starting"),
  ];
}

export function viewAgents(screen: Screen, agents: RunAgent[]): string {
  if (agents.length === 0) return "No agent works in a run now. clew run list shows how runs stand.";
  const rows = agents.map((agent): Cell[] => [agent.run, placeText(agent), ...agentCells(screen, agent)]);
  return table(screen, [{ title: "RUN", isId: true }, { title: "STEP" }, ...agentColumns], rows);
}

export function viewDelivery(
  { agent, delivered, run_id }: { agent: string; delivered: boolean; run_id: string },
  done: string,
): string {
  if (delivered) return `${cleanLine(agent)}: ${done}`;
  return `${cleanLine(agent)}: kept, and not taken up yet: clew run log ${run_id} will tell what became of it`;
}

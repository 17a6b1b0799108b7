import type { SessionAgent } from "../../contract/api/session-agent.ts";
import type { Screen } from "../context.ts";
import { agentCells, agentColumns } from "./run-agent-view.ts";
import { table, type Cell } from "./table.ts";

export function viewSessionAgents(screen: Screen, agents: SessionAgent[]): string {
  if (agents.length === 0) return "No agent works in a work session or a talk now. clew session list shows sessions.";
  const rows = agents.map((agent): Cell[] => [agent.session, ...agentCells(screen, agent)]);
  return table(screen, [{ title: "SESSION", isId: true }, ...agentColumns], rows);
}

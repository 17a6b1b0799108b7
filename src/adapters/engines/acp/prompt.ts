import type { AgentTask } from "../../../app/engine/agents.ts";

/** ACP has no place for a role: it goes before the first prompt. */
export function acpPrompt({ role, prompt }: AgentTask): string {
  return role === undefined ? prompt : `${role}\n\n${prompt}`;
}

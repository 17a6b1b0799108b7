import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { AcpConversation } from "../../../engine/acp/conversation.ts";
import type { Engine } from "../engine.ts";
import { acpServers } from "./mcp-servers.ts";
import { acpPrompt } from "./prompt.ts";

/** Modes of the agents that are known, the best first. An agent without any of these stays in its own. */
const modes: Record<PermissionLevel, string[]> = {
  read: ["default", "ask", "read-only", "readonly", "plan"],
  work: ["acceptEdits", "auto-edit", "autoEdit", "auto_edit", "workspace-write", "default"],
  full: ["bypassPermissions", "yolo", "agent-full-access", "full-access", "acceptEdits", "default"],
};

/** A user's own agent, which speaks ACP when it is started by this command. */
export function acpEngine(name: string, command: readonly string[]): Engine {
  return {
    name,
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      // A second prompt would make some agents drop the first.
      send: "queues",
      hooks: false,
      tools: false,
      mcp: true,
      usage: "round",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command" },
    logIn: `log in as ${command[0]} tells`,
    start: () => ({ command: [...command] }),
    converse({ task, folder, resume, server }, write) {
      const { level, model } = task;
      const opening = {
        prompt: acpPrompt(task),
        folder,
        modes: modes[level],
        mcpServers: acpServers(server),
        ...(model !== undefined && { model }),
        ...(resume !== undefined && { resume }),
      };
      return new AcpConversation(opening, { send: "queues", denial: "goes_on", countsRound: true }, write);
    },
  };
}

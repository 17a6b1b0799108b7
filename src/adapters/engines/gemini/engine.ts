import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { AcpConversation } from "../../../engine/acp/conversation.ts";
import { acpPrompt } from "../acp/prompt.ts";
import type { Engine } from "../engine.ts";
import { acpServers } from "../acp/mcp-servers.ts";
import type { FindEngine } from "../find-engine.ts";

/** What goes beyond these modes is asked. `plan` would ask for nothing, and hides the tools of others. */
const modes: Record<PermissionLevel, string> = { read: "default", work: "autoEdit", full: "yolo" };

const help = "Gemini CLI is not installed: npm install -g @google/gemini-cli puts gemini on your PATH";

/** Gemini CLI, spoken to by ACP. */
export function geminiEngine(find: FindEngine): Engine {
  return {
    name: "gemini",
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send: "queues",
      hooks: true,
      tools: false,
      mcp: true,
      usage: "round",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command" },
    logIn: "run gemini once and log in, or set GEMINI_API_KEY",
    start({ task }) {
      const program = find("gemini", help);
      if (typeof program !== "string") return program;
      return {
        command: [program, "--acp", ...(task.model === undefined ? [] : [`--model=${task.model}`])],
        // Its launcher would pass no signal on.
        env: { GEMINI_CLI_NO_RELAUNCH: "true" },
      };
    },
    converse({ task, folder, resume, server }, write) {
      const opening = {
        prompt: acpPrompt(task),
        folder,
        modes: [modes[task.level]],
        mcpServers: acpServers(server),
        ...(resume && { resume }),
      };
      return new AcpConversation(opening, { send: "queues", denial: "goes_on", countsRound: true }, write);
    },
  };
}

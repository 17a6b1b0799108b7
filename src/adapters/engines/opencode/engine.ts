import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Json } from "../../../contract/json.ts";
import { AcpConversation } from "../../../engine/acp/conversation.ts";
import { acpPrompt } from "../acp/prompt.ts";
import type { Engine } from "../engine.ts";
import { acpServers } from "../acp/mcp-servers.ts";
import type { FindEngine } from "../programs.ts";

/** What it may do unasked. What is not named here is asked, too. */
const permissions: Record<PermissionLevel, Json> = {
  read: { edit: "ask", bash: "ask", webfetch: "ask", external_directory: "ask" },
  work: { edit: "allow", bash: "ask", webfetch: "ask", external_directory: "ask" },
  full: { edit: "allow", bash: "allow", webfetch: "allow", external_directory: "allow" },
};

const help = "opencode is not installed: npm install -g opencode-ai puts opencode on your PATH";

/** opencode, spoken to by ACP. */
export function opencodeEngine(find: FindEngine): Engine {
  return {
    name: "opencode",
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send: "joins",
      hooks: false,
      mcp: true,
      // It tells the tokens of a round's last request only.
      usage: false,
      cost: false,
    },
    manners: { denial: "ends_round", interrupt: "ends_command" },
    logIn: "opencode auth login",
    start({ task, folder, resume, server }) {
      const program = find("opencode", help);
      if (typeof program !== "string") return program;
      const { level, model } = task;
      const opening = {
        prompt: acpPrompt(task),
        folder,
        modes: ["build"],
        mcpServers: acpServers(server),
        ...(model !== undefined && { model }),
        ...(resume !== undefined && { resume }),
      };
      return {
        command: [program, "acp"],
        env: { OPENCODE_PERMISSION: JSON.stringify(permissions[level]) },
        converse: (write) =>
          new AcpConversation(opening, { send: "joins", denial: "ends_round", countsRound: false }, write),
      };
    },
  };
}

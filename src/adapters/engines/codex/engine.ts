import type { McpServer } from "../../../app/engine/result-tool.ts";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { mcpVariables } from "../../../contract/mcp.ts";
import { CodexConversation } from "../../../engine/codex/conversation.ts";
import type { Engine, EngineRequest } from "../engine.ts";
import type { FindEngine } from "../find-engine.ts";
import { bareOptions, bareThread } from "./bare.ts";

/** What goes beyond the sandbox is asked, and answered by the agent's level. Its sandbox never lets it write to `.git`. */
const modes: Record<PermissionLevel, { sandbox: string; approvalPolicy: string }> = {
  read: { sandbox: "read-only", approvalPolicy: "on-request" },
  work: { sandbox: "workspace-write", approvalPolicy: "on-request" },
  full: { sandbox: "danger-full-access", approvalPolicy: "never" },
};

/** Codex, spoken to by its app server on stdin and stdout. */
export function codexEngine(find: FindEngine): Engine {
  return {
    name: "codex",
    abilities: {
      resume: true,
      structured_result: true,
      permissions: true,
      send: "joins",
      hooks: "none",
      tools: false,
      mcp: true,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "leaves_command" },
    bare: ["tools", "user_memory"],
    untoldStops: [],
    logIn: "run codex login, or check the key of the provider in ~/.codex/config.toml",
    start(request) {
      const program = find("codex");
      if (typeof program !== "string") return program;
      const settings = request.task.bare ? bareOptions : request.server ? mcpOptions(request.server) : [];
      return { command: [program, ...settings, "app-server"] };
    },
    converse: (request, write) => new CodexConversation(opening(request), write),
  };
}

function opening({ task, folder, resume }: EngineRequest): ConstructorParameters<typeof CodexConversation>[0] {
  return {
    prompt: task.prompt,
    folder,
    until: task.until,
    ...(task.bare && { isBare: task.bare }),
    ...(resume !== undefined && { resume }),
    thread: {
      ...modes[task.level],
      // A user's setting may let a model answer in the person's place.
      approvalsReviewer: "user",
      ...(task.model !== undefined && { model: task.model }),
      ...(task.role !== undefined && { developerInstructions: task.role }),
      ...(task.bare && bareThread),
    },
  };
}

/** The token comes from the environment: other users can read a command line. */
function mcpOptions({ name, url }: McpServer): string[] {
  const access = { url, bearer_token_env_var: mcpVariables.token, default_tools_approval_mode: "approve" };
  // Its own would be five minutes, and Clew answers at once.
  const values = { ...access, tool_timeout_sec: 60 };
  return Object.entries(values).flatMap(([key, value]) => [
    "-c",
    `mcp_servers.${name}.${key}=${JSON.stringify(value)}`,
  ]);
}

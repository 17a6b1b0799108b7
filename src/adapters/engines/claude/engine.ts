import type { McpServer } from "../../../app/engine/result-tool.ts";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { mcpVariables } from "../../../contract/mcp.ts";
import { agentHookSettings } from "../../../hook/settings/agent-hooks.ts";
import { claudeConversation } from "../../../engine/claude/conversation.ts";
import { resultSchema } from "../../../engine/result-schema.ts";
import type { Engine, EngineRequest } from "../engine.ts";
import type { FindEngine } from "../find-engine.ts";
import { bareEnvironment, bareOptions } from "./bare.ts";

/** What goes beyond these modes is asked on stdio, and answered by the agent's level. */
const modes: Record<PermissionLevel, string> = { read: "default", work: "acceptEdits", full: "acceptEdits" };

/** Claude Code, spoken to by stream-JSON on its stdin and stdout. `clew` is the command line of this program. */
export function claudeEngine(find: FindEngine, clew: readonly string[]): Engine {
  return {
    name: "claude",
    abilities: {
      resume: true,
      structured_result: true,
      permissions: true,
      send: "joins",
      hooks: "http",
      tools: true,
      mcp: true,
      usage: "stream",
      cost: true,
    },
    manners: { denial: "goes_on", interrupt: "ends_command" },
    bare: ["system_prompt", "environment"],
    untoldStops: [],
    logIn: "run claude and log in by /login there, or set ANTHROPIC_API_KEY",
    start(request) {
      const program = find("claude");
      if (typeof program !== "string") return program;
      const { bare } = request.task;
      const own = bare ? bareOptions(request) : options(request, clew);
      return {
        command: [program, ...streamJson, ...ownSettings, ...own],
        // A Claude that runs inside another one behaves differently.
        env: { CLAUDECODE: undefined, CLAUDE_CODE_ENTRYPOINT: undefined, ...(bare && bareEnvironment) },
      };
    },
    converse: ({ task }, write) => claudeConversation({ ...task, isLiteral: task.bare }, write),
  };
}

/** The settings and MCP servers of a repository could allow what the agent's level does not: only the user's own count. */
const ownSettings = ["--setting-sources=user", "--strict-mcp-config"];
const streamJson =
  "-p --verbose --output-format=stream-json --input-format=stream-json --permission-prompt-tool=stdio".split(" ");

function options({ task, resume, server, hooks }: EngineRequest, clew: readonly string[]): string[] {
  return [
    `--permission-mode=${modes[task.level]}`,
    // Other values stand in one word with their option: they may begin with a dash.
    ...(task.model === undefined ? [] : [`--model=${task.model}`]),
    ...(task.role === undefined ? [] : [`--append-system-prompt=${task.role}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    // Those of MCP servers are not among them: the result can still be handed in.
    ...(task.tools === undefined ? [] : [`--tools=${task.tools.join(",")}`]),
    // Beside the tool it would cost a round more: Claude insists on both.
    ...(task.until === "result" && !server ? [`--json-schema=${JSON.stringify(resultSchema)}`] : []),
    ...(task.until === "talk" ? ["--include-partial-messages"] : []),
    // Beside the user's own hooks, which stay as they are.
    ...(hooks === undefined
      ? []
      : [`--settings=${JSON.stringify(agentHookSettings("claude", hooks.url, clew, hooks.failsClosed))}`]),
    ...(server === undefined ? [] : [`--mcp-config=${mcpConfig(server)}`, `--allowedTools=mcp__${server.name}`]),
  ];
}

/** The token comes from the environment: other users can read a command line. */
function mcpConfig({ name, url }: McpServer): string {
  const headers = { Authorization: `Bearer \${${mcpVariables.token}}` };
  return JSON.stringify({ mcpServers: { [name]: { type: "http", url, headers, alwaysLoad: true } } });
}

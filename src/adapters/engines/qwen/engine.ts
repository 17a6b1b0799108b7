import type { McpServer } from "../../../app/engine/result-tool.ts";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Json } from "../../../contract/json.ts";
import { claudeConversation } from "../../../engine/claude/conversation.ts";
import type { Engine, EngineRequest } from "../engine.ts";
import type { FindEngine } from "../programs.ts";

/** What goes beyond these modes is asked. Without one, Qwen lets a model decide. */
const modes: Record<PermissionLevel, string> = { read: "default", work: "auto-edit", full: "yolo" };

/** The longest that Qwen waits for an answer before it denies by itself. */
const permissionTimeoutMs = 600_000;

const help = "Qwen Code is not installed: npm install -g @qwen-code/qwen-code puts qwen on your PATH";

/** Qwen Code, which speaks Claude's control protocol. */
export function qwenEngine(find: FindEngine): Engine {
  return {
    name: "qwen",
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send: "queues",
      hooks: true,
      mcp: true,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command", permission_timeout_ms: permissionTimeoutMs },
    logIn: "run qwen once and log in, or set OPENAI_API_KEY",
    start(request) {
      const program = find("qwen", help);
      if (typeof program !== "string") return program;
      const { task, server } = request;
      const initialize = { timeout: { canUseTool: permissionTimeoutMs }, ...(server && mcpServers(server)) };
      return {
        command: [program, ...options(request)],
        // Its launcher would end alone on a signal.
        env: { QWEN_CODE_NO_RELAUNCH: "true" },
        converse: (write) =>
          claudeConversation({ prompt: task.prompt, initialize, isResumed: request.resume !== undefined }, write),
      };
    },
  };
}

function options({ task, resume }: EngineRequest): string[] {
  return [
    "--input-format=stream-json",
    "--output-format=stream-json",
    `--approval-mode=${modes[task.level]}`,
    // Other values stand in one word with their option: they may begin with a dash.
    ...(task.model === undefined ? [] : [`--model=${task.model}`]),
    ...(task.role === undefined ? [] : [`--append-system-prompt=${task.role}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(task.until === "talk" ? ["--include-partial-messages"] : []),
  ];
}

function mcpServers({ name, url, headers }: McpServer): { [key: string]: Json } {
  return { mcpServers: { [name]: { httpUrl: url, headers, trust: true } } };
}

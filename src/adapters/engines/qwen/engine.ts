import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import { claudeConversation } from "../../../engine/claude/conversation.ts";
import type { Engine, EngineRequest } from "../engine.ts";
import type { FindEngine } from "../find-engine.ts";

/** What goes beyond these modes is asked. Without one, Qwen lets a model decide. */
const modes: Record<PermissionLevel, string> = { read: "default", work: "auto-edit", full: "yolo" };

/** The longest that Qwen waits for an answer before it denies by itself. */
const permissionTimeoutMs = 600_000;

/** Qwen Code, which speaks Claude's control protocol. `clewMcp` is the command line of `clew mcp`. */
export function qwenEngine(find: FindEngine, clewMcp: readonly string[]): Engine {
  return {
    name: "qwen",
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send: "queues",
      hooks: true,
      tools: false,
      mcp: true,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command", permission_timeout_ms: permissionTimeoutMs },
    logIn: "run qwen once and log in, or set OPENAI_API_KEY",
    start(request) {
      const program = find("qwen");
      if (typeof program !== "string") return program;
      return {
        command: [program, ...options(request, clewMcp)],
        // Its launcher would end alone on a signal.
        env: { QWEN_CODE_NO_RELAUNCH: "true" },
      };
    },
    converse({ task: { prompt }, resume }, write) {
      const initialize = { timeout: { canUseTool: permissionTimeoutMs } };
      return claudeConversation({ prompt, initialize, isResumed: resume !== undefined }, write);
    },
  };
}

function options({ task, resume, server }: EngineRequest, clewMcp: readonly string[]): string[] {
  return [
    "--input-format=stream-json",
    "--output-format=stream-json",
    `--approval-mode=${modes[task.level]}`,
    // Other values stand in one word with their option: they may begin with a dash.
    ...(task.model === undefined ? [] : [`--model=${task.model}`]),
    ...(task.role === undefined ? [] : [`--append-system-prompt=${task.role}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(task.until === "talk" ? ["--include-partial-messages"] : []),
    ...(server === undefined ? [] : [`--mcp-config=${mcpConfig(server.name, clewMcp)}`]),
  ];
}

/** It takes a token by HTTP only on its command line, which other users can read: `clew mcp` has it from the environment. */
function mcpConfig(name: string, [command, ...args]: readonly string[]): string {
  return JSON.stringify({ mcpServers: { [name]: { command: command!, args, trust: true } } });
}

import { dirname, join } from "node:path";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Json } from "../../../contract/json.ts";
import { claudeConversation } from "../../../engine/claude/conversation.ts";
import { fieldsOf, listOf, objectIn } from "../../../engine/read-fields.ts";
import { agentHookSettings } from "../../../hook/settings/agent-hooks.ts";
import type { Engine, EngineRequest, StartFile } from "../engine.ts";
import type { FindEngine } from "../find-engine.ts";
import { bareFiles, bareOptions } from "./bare.ts";
import { attempt } from "../../../text/attempt.ts";
import { readRegular } from "../../files/regular-file.ts";

/** What goes beyond these modes is asked. Without one, Qwen lets a model decide. */
const modes: Record<PermissionLevel, string> = { read: "default", work: "auto-edit", full: "yolo" };

/** The longest that Qwen waits for an answer before it denies by itself. */
const permissionTimeoutMs = 600_000;

/** Qwen Code, which speaks Claude's control protocol. `clew` is the command line of this program. */
export function qwenEngine(find: FindEngine, clew: readonly string[], env: Record<string, string | undefined>): Engine {
  return {
    name: "qwen",
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send: "queues",
      hooks: "http",
      tools: false,
      mcp: true,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command", permission_timeout_ms: permissionTimeoutMs },
    bare: ["system_prompt", "environment"],
    untoldStops: ["max_tokens", "refusal"],
    commandSigns: ["/"],
    logIn: "run qwen once and log in, or set OPENAI_API_KEY",
    start(request) {
      const program = find("qwen");
      if (typeof program !== "string") return program;
      const own = request.task.bare ? bareOptions(request) : options(request, clew);
      return {
        command: [program, ...streamJson, ...own],
        ...(request.task.bare && { files: bareFiles }),
        ...(request.hooks && { files: [defaultSettings(request.hooks.url, clew, env)] }),
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

const streamJson = ["--input-format=stream-json", "--output-format=stream-json"];

function options({ task, resume, server }: EngineRequest, clew: readonly string[]): string[] {
  return [
    `--approval-mode=${modes[task.level]}`,
    // Other values stand in one word with their option: they may begin with a dash.
    ...(task.model === undefined ? [] : [`--model=${task.model}`]),
    ...(task.role === undefined ? [] : [`--append-system-prompt=${task.role}`]),
    ...(resume === undefined ? [] : [`--resume=${resume}`]),
    ...(task.until === "talk" ? ["--include-partial-messages"] : []),
    ...(server === undefined ? [] : [`--mcp-config=${mcpConfig(server.name, [...clew, "mcp"])}`]),
  ];
}

/** It takes a token by HTTP only on its command line, which other users can read: `clew mcp` has it from the environment. */
function mcpConfig(name: string, [command, ...args]: readonly string[]): string {
  return JSON.stringify({ mcpServers: { [name]: { command: command!, args, trust: true } } });
}

/** Where Qwen looks for what an administrator gives all users; the user's own settings go before it, and their hooks are called beside it. */
const defaultsVariable = "QWEN_CODE_SYSTEM_DEFAULTS_PATH";
const settingsVariable = "QWEN_CODE_SYSTEM_SETTINGS_PATH";
const systemFolder = process.platform === "darwin" ? "/Library/Application Support/QwenCode" : "/etc/qwen-code";

/** Qwen takes hooks from settings alone: our own are given as defaults, beside what stands there. */
function defaultSettings(url: string, clew: readonly string[], env: Record<string, string | undefined>): StartFile {
  const folder = env[settingsVariable] ? dirname(env[settingsVariable]) : systemFolder;
  const path = env[defaultsVariable] || join(folder, "system-defaults.json");
  const given = objectIn(attempt(() => readRegular(path).toString("utf8"), "")) ?? {};
  const hooks: { [event: string]: Json } = { ...fieldsOf(given.hooks) };
  for (const [event, own] of Object.entries(agentHookSettings("qwen", url, clew).hooks))
    hooks[event] = [...listOf(hooks[event]), ...(own as Json[])];
  return { variable: defaultsVariable, name: "system-defaults.json", content: JSON.stringify({ ...given, hooks }) };
}

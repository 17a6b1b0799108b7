import type { HookEngine } from "../../contract/hook.ts";
import { daemonHookVariable, hookEvents } from "../../contract/hook.ts";
import { shellWord } from "../../text/shell-word.ts";
import { kebabOf } from "../events.ts";
import type { HookElements, IsOwn } from "./edit-settings.ts";

/** The engines whose hooks stand in a JSON file. opencode has a plugin instead. */
export type SettingsEngine = Exclude<HookEngine, "opencode">;

/** Those that have hooks over HTTP. */
export const httpEngines = ["claude", "qwen"] as const;
export type HttpEngine = (typeof httpEngines)[number];

/** Seconds, after which an engine ends the hook: no agent waits longer for us. */
const timeoutS = 30;

const lackedByCodex = new Set<string>(
  hookEvents.filter((event) => /^(?:Task|PostToolUseFailure|PostToolBatch|PermissionDenied|StopFailure)/.test(event)),
);

/** What each engine can tell. Gemini's `PreCompress` comes before each call of a model, and tells of nothing. */
export const engineEvents: Record<SettingsEngine, readonly string[]> = {
  claude: hookEvents,
  codex: hookEvents.filter((event) => !lackedByCodex.has(event)),
  gemini: ["BeforeTool", "AfterTool", "BeforeAgent", "AfterAgent", "SessionStart", "SessionEnd"],
  qwen: hookEvents.filter((event) => !event.startsWith("Task")),
};

/** The time-out of a hook; none where the engine has a shorter one of its own, or counts in another unit. */
function timeoutOf(engine: SettingsEngine, event: string): { timeout?: number } {
  if (engine === "qwen" || (engine === "codex" && event === "SessionEnd")) return {};
  return { timeout: engine === "gemini" ? timeoutS * 1000 : timeoutS };
}

/** The hooks of one engine, which call `program`: a command and its first arguments. */
export function engineElements(engine: SettingsEngine, program: readonly string[]): HookElements {
  return new Map(
    engineEvents[engine].map((event) => {
      const words = [...program, "hook", kebabOf(event), "--engine", engine];
      const hook = { type: "command", command: words.map(shellWord).join(" "), ...timeoutOf(engine, event) };
      return [event, `{ "hooks": [${oneLine(hook)}] }`];
    }),
  );
}

/** The hooks of one engine that tell the daemon. The token comes from the environment: settings are read by many. */
export function httpElements(engine: HttpEngine, daemonUrl: string, program: readonly string[]): HookElements {
  const commands = engineElements(engine, program);
  const headers = { Authorization: `Bearer \${${daemonHookVariable}}` };
  return new Map(
    engineEvents[engine].map((event) => {
      // Claude never calls HTTP hooks when a session starts.
      if (engine === "claude" && event === "SessionStart") return [event, commands.get(event)!];
      const url = `${daemonUrl}/hooks/${kebabOf(event)}?engine=${engine}`;
      const hook = { type: "http", url, headers, allowedEnvVars: [daemonHookVariable], timeout: timeoutS };
      return [event, `{ "hooks": [${oneLine(hook)}] }`];
    }),
  );
}

/** Any `clew hook` is ours, wherever the program stood when it was installed. */
const isOwnCommand: IsOwn = (words) =>
  words.some((word) => /(?:^|[\s/'"])clew(?:\.cjs)?['"]? hook [a-z-]+ --engine [a-z]+$/.test(word));

/** One that tells a daemon of ours, at whatever port that listened. */
export const isOwnUrl: IsOwn = (words) =>
  words.some((word) => /^http:\/\/127\.0\.0\.1:\d{1,5}\/hooks\/[a-z-]+\?engine=[a-z]+$/.test(word));

export const isOwnHook: IsOwn = (words) => isOwnCommand(words) || isOwnUrl(words);

/** One of ours that blocks when it fails. */
export const isOwnBlocking: IsOwn = (words) => isOwnHook(words) && words.includes("block");

/** The same hooks, of which that before a tool call blocks when it fails: only Claude has that, and only where something is denied. */
export function failingClosed(elements: HookElements): HookElements {
  return new Map(
    [...elements].map(([event, element]) => {
      const isBlocking = event === "PreToolUse";
      return [event, isBlocking ? element.replace(/ \}\] \}$/, ', "onFailure": "block" }] }') : element];
    }),
  );
}

function oneLine(value: object): string {
  const members = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${JSON.stringify(each)}`);
  return `{ ${members.join(", ")} }`;
}

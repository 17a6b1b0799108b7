import type { HookEngine } from "../../contract/hook.ts";
import { addServer, hasServer, removeServer } from "./edit-server.ts";
import { addTomlServer, hasTomlServer, removeTomlServer } from "./edit-toml.ts";

/** How our MCP server stands in an engine's settings. Each function throws what names the line where they are not as they have to be. */
export interface ServerSettings {
  /** `undefined`: there is no file yet. `program`: a command and its arguments. */
  add: (settings: string | undefined, program: readonly string[]) => string;
  /** `undefined`: the file was made for it. */
  remove: (settings: string) => string | undefined;
  has: (settings: string) => boolean;
}

/** The server as these engines have it, one of several in an object. */
function inJson(group: string, serverOf: (command: string, args: string[]) => object): ServerSettings {
  return {
    add: (settings, [command = "", ...args]) => addServer(settings, group, oneLine(serverOf(command, args))),
    remove: (settings) => removeServer(settings, group),
    has: (settings) => hasServer(settings, group),
  };
}

const plain = inJson("mcpServers", (command, args) => ({ command, args }));

export const engineServers: Record<HookEngine, ServerSettings> = {
  claude: inJson("mcpServers", (command, args) => ({ type: "stdio", command, args })),
  codex: { add: addTomlServer, remove: removeTomlServer, has: hasTomlServer },
  gemini: plain,
  qwen: plain,
  opencode: inJson("mcp", (command, args) => ({ type: "local", command: [command, ...args], enabled: true })),
};

function oneLine(value: object): string {
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${JSON.stringify(each).replaceAll('","', '", "')}`,
  );
  return `{ ${members.join(", ")} }`;
}

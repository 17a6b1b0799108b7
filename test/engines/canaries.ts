import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RealEngine } from "./real-engine.ts";

/** Words that a bare agent's model must not read; each tells where it came from. */
export const canaries = {
  project_memory: "CANARY-OF-THE-REPOSITORY",
  user_memory: "CANARY-OF-THE-USER",
  hooks: "CANARY-OF-A-HOOK",
  mcp: "CANARY-OF-A-SERVER",
  skills: "CANARY-OF-A-SKILL",
} as const;

/** What an engine started that it should not have: a hook, a server of tools. */
export interface Traps {
  sprung(): string[];
}

/** Puts files of instructions, hooks, servers and skills for every engine into the repository and the home, each with its canary. */
export function plantCanaries({ folder, home }: Pick<RealEngine, "folder" | "home">): Traps {
  const traps = join(dirname(folder), "traps");
  mkdirSync(traps);
  const hook = program(traps, "hook", hookSource);
  const server = program(traps, "server", serverSource);
  for (const name of ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md", ".claude/CLAUDE.md", "CLAUDE.local.md"])
    write(join(folder, name), canaries.project_memory);
  for (const name of memoryFiles) write(join(home, name), canaries.user_memory);
  for (const name of skillFolders) {
    const skill = `---\nname: canary\ndescription: ${canaries.skills}\n---\n${canaries.skills}\n`;
    for (const root of [folder, home]) write(join(root, name, "canary/SKILL.md"), skill);
  }
  for (const root of [folder, home]) plantSettings(root, hook, server);
  write(join(folder, "opencode.json"), JSON.stringify(opencodeSettings(server)));
  addSettings(join(home, ".config/opencode/opencode.json"), opencodeSettings(server));
  return { sprung: () => ["hook", "server"].filter((name) => existsSync(join(traps, `${name}.sprung`))) };
}

const memoryFiles = [
  ".claude/CLAUDE.md",
  ".codex/AGENTS.md",
  ".gemini/GEMINI.md",
  ".qwen/QWEN.md",
  ".qwen/AGENTS.md",
  ".qwen/output-language.md",
  ".config/opencode/AGENTS.md",
];
const skillFolders = [".claude/skills", ".codex/skills", ".agents/skills", ".gemini/skills", ".qwen/skills"];

function plantSettings(root: string, hook: string, server: string): void {
  const command = { type: "command", command: hook };
  const of = (...events: string[]) => Object.fromEntries(events.map((event) => [event, [{ hooks: [command] }]]));
  const claudes = of("SessionStart", "UserPromptSubmit");
  const mcpServers = { canary: { command: server, args: [] } };
  addSettings(join(root, ".claude/settings.json"), {
    hooks: claudes,
    outputStyle: "canary",
    language: canaries.user_memory,
  });
  write(
    join(root, ".claude/output-styles/canary.md"),
    `---\nname: canary\ndescription: a style\n---\n${canaries.user_memory}\n`,
  );
  addSettings(join(root, ".claude.json"), { mcpServers });
  addSettings(join(root, ".mcp.json"), { mcpServers });
  addSettings(join(root, ".gemini/settings.json"), { mcpServers, hooks: of("SessionStart", "BeforeAgent") });
  addSettings(join(root, ".qwen/settings.json"), { mcpServers, hooks: claudes });
  addSettings(join(root, ".codex/hooks.json"), { hooks: claudes });
  const toml = join(root, ".codex/config.toml");
  const given = existsSync(toml) ? readFileSync(toml, "utf8") : "";
  const instructions = JSON.stringify(canaries.user_memory);
  const servers = `[mcp_servers."a canary"]\ncommand = ${JSON.stringify(server)}\n`;
  write(toml, `developer_instructions = ${instructions}\n${given}\n${servers}`);
}

function opencodeSettings(server: string): object {
  return { mcp: { canary: { type: "local", command: [server], enabled: true } }, instructions: ["AGENTS.md"] };
}

/** Beside what the file has. */
function addSettings(file: string, settings: object): void {
  const given = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
  write(file, JSON.stringify({ ...given, ...settings }));
}

function write(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

function program(folder: string, name: string, source: (sprung: string) => string): string {
  const file = join(folder, name);
  writeFileSync(file, source(JSON.stringify(join(folder, `${name}.sprung`))), { mode: 0o755 });
  return file;
}

const hookSource = (sprung: string) => `#!${process.execPath}
const fs = require("node:fs");
fs.writeFileSync(${sprung}, "");
const { hook_event_name: hookEventName } = JSON.parse(fs.readFileSync(0, "utf8"));
const hookSpecificOutput = { hookEventName, additionalContext: ${JSON.stringify(canaries.hooks)} };
console.log(JSON.stringify({ hookSpecificOutput }));
`;

const serverSource = (sprung: string) => `#!${process.execPath}
require("node:fs").writeFileSync(${sprung}, "");
const tool = { name: "canary", description: ${JSON.stringify(canaries.mcp)}, inputSchema: { type: "object" } };
require("node:readline").createInterface(process.stdin).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const serverInfo = { name: "canary", version: "1" };
  const opened = { protocolVersion: params?.protocolVersion ?? "2025-06-18", capabilities: { tools: {} }, serverInfo };
  const result = method === "initialize" ? opened : method === "tools/list" ? { tools: [tool] } : undefined;
  const error = { code: -32601, message: "there is no such method" };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) }));
});
`;

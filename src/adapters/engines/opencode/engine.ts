import type { AgentTask } from "../../../app/engine/agents.ts";
import type { PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Json } from "../../../contract/json.ts";
import { fieldsOf, objectIn } from "../../../engine/read-fields.ts";
import type { Engine } from "../engine.ts";
import { baseAcpEngine } from "../acp/base-engine.ts";
import type { FindEngine } from "../find-engine.ts";
import { bareEnvironment, bareSettings, denyAllTools } from "./bare.ts";

/** What does no harm, and stays in the folder: a look outside is asked for as `external_directory`. */
const harmless = { read: "allow", glob: "allow", grep: "allow", list: "allow", todowrite: "allow", todoread: "allow" };
const thinking = { task: "allow", skill: "allow" };
const asked = { "*": "ask", ...harmless, ...thinking, bash: "ask", webfetch: "ask", external_directory: "ask" };

type Permissions = { [tool: string]: Json };

const permissions: Record<PermissionLevel, Permissions> = {
  read: { ...asked, edit: "ask" },
  work: { ...asked, edit: "allow" },
  full: { "*": "allow", edit: "allow", bash: "allow", webfetch: "allow", external_directory: "allow" },
};

/** opencode, spoken to by ACP. */
export function opencodeEngine(find: FindEngine, env: Record<string, string | undefined>): Engine {
  return baseAcpEngine({
    name: "opencode",
    send: "joins",
    // It tells the tokens of a round's last request only.
    usage: false,
    denial: "ends_round",
    tools: true,
    modes: { read: ["build"], work: ["build"], full: ["build"] },
    bare: ["user_memory", "mcp", "environment"],
    untoldStops: ["max_tokens"],
    commandSigns: ["/"],
    logIn: "opencode auth login",
    start({ task, server }) {
      const program = find("opencode");
      if (typeof program !== "string") return program;
      if (task.bare) {
        const settings = { ...settingsFor(denyAllTools, env["OPENCODE_CONFIG_CONTENT"]), ...bareSettings };
        const own = { OPENCODE_CONFIG_CONTENT: JSON.stringify(settings) };
        return { command: [program, "acp", "--pure"], env: { ...bareEnvironment, ...own } };
      }
      return {
        command: [program, "acp"],
        env: {
          OPENCODE_CONFIG_CONTENT: JSON.stringify(
            settingsFor(permissionsFor(task, server?.name), env["OPENCODE_CONFIG_CONTENT"]),
          ),
        },
      };
    },
  });
}

/** Of several rules that fit, the last one counts. A tool that is denied is not offered to the model. */
function permissionsFor({ level, tools }: AgentTask, server: string | undefined): Permissions {
  const all = permissions[level];
  if (tools === undefined) return all;
  const named = Object.fromEntries(tools.map((tool) => [tool, all[tool] ?? all["*"]!]));
  const outside = { external_directory: all["external_directory"]! };
  return { "*": "deny", ...named, ...outside, ...(server !== undefined && { [`${server}_*`]: "allow" }) };
}

/**
 * Settings that go before all others. A repository's own may name permissions for everything or for an agent, which go
 * before `OPENCODE_PERMISSION`: so both are said here. What the user says in this variable is kept.
 */
function settingsFor(permission: Permissions, given = "{}"): { [name: string]: Json } {
  const settings = objectIn(given) ?? {};
  const agents = fieldsOf(settings.agent);
  return { ...settings, permission, agent: { ...agents, build: { ...fieldsOf(agents.build), permission } } };
}

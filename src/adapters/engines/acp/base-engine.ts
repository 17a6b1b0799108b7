import type { McpServer } from "../../../app/engine/result-tool.ts";
import type { EngineAbilities, EngineManners, PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Json } from "../../../contract/json.ts";
import { AcpConversation } from "../../../engine/acp/conversation.ts";
import type { Engine } from "../engine.ts";

/** Where agents that speak ACP differ. */
interface AcpTraits extends Pick<Engine, "name" | "logIn" | "bare" | "untoldStops" | "commandSigns" | "start"> {
  /** A second prompt would make some agents drop the first: then it waits. */
  send: "joins" | "queues";
  usage: Exclude<EngineAbilities["usage"], "stream">;
  denial: EngineManners["denial"];
  tools?: boolean;
  /** The first that the agent has is set. */
  modes: Record<PermissionLevel, readonly string[]>;
  /** Its command line takes the model, so that the protocol need not. */
  takesModelOption?: boolean;
}

/** An engine that is spoken to by ACP. */
export function baseAcpEngine(traits: AcpTraits): Engine {
  const {
    name,
    logIn,
    bare,
    untoldStops,
    commandSigns,
    start,
    send,
    usage,
    denial,
    tools = false,
    modes,
    takesModelOption,
  } = traits;
  return {
    name,
    abilities: {
      resume: true,
      structured_result: false,
      permissions: true,
      send,
      // Tool hooks do not fire under ACP: the stream is the witness.
      hooks: "none",
      tools,
      mcp: true,
      usage,
      cost: false,
    },
    manners: { denial, interrupt: "ends_command" },
    bare,
    untoldStops,
    ...(commandSigns && { commandSigns }),
    logIn,
    start,
    converse({ task, folder, resume, server }, write) {
      const { level, model, role, prompt } = task;
      const opening = {
        // ACP has no place for a role: it goes before the first prompt.
        prompt: role === undefined ? prompt : `${role}\n\n${prompt}`,
        folder,
        modes: modes[level],
        mcpServers: acpServers(server),
        ...(model !== undefined && !takesModelOption && { model }),
        ...(resume !== undefined && { resume }),
      };
      return new AcpConversation(opening, { send, denial, countsRound: usage === "round" }, write);
    },
  };
}

/** A server as ACP names it to an agent. */
function acpServers(server: McpServer | undefined): Json[] {
  if (server === undefined) return [];
  const headers = Object.entries(server.headers).map(([name, value]) => ({ name, value }));
  return [{ type: "http", name: server.name, url: server.url, headers }];
}

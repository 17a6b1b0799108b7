import { bareRemains, type PermissionLevel } from "../../../contract/engine-abilities.ts";
import type { Engine } from "../engine.ts";
import { baseAcpEngine } from "./base-engine.ts";

/** Modes of the agents that are known, the best first. An agent without any of these stays in its own. */
const modes: Record<PermissionLevel, string[]> = {
  read: ["default", "ask", "read-only", "readonly", "plan"],
  work: ["acceptEdits", "auto-edit", "autoEdit", "auto_edit", "workspace-write", "default"],
  full: ["bypassPermissions", "yolo", "agent-full-access", "full-access", "acceptEdits", "default"],
};

/** A user's own agent, which speaks ACP when it is started by this command. */
export function acpEngine(name: string, command: readonly string[]): Engine {
  return baseAcpEngine({
    name,
    send: "queues",
    usage: "round",
    denial: "goes_on",
    modes,
    // It is not known what it reads by itself.
    bare: bareRemains,
    untoldStops: [],
    commandSigns: ["/"],
    logIn: `log in as ${command[0]} tells`,
    start: () => ({ command: [...command] }),
  });
}

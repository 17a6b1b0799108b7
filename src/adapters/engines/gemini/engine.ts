import type { Engine } from "../engine.ts";
import { baseAcpEngine } from "../acp/base-engine.ts";
import type { FindEngine } from "../find-engine.ts";

/** Gemini CLI, spoken to by ACP. */
export function geminiEngine(find: FindEngine): Engine {
  return baseAcpEngine({
    name: "gemini",
    send: "queues",
    usage: "round",
    denial: "goes_on",
    hooks: true,
    // What goes beyond these modes is asked. `plan` would ask for nothing, and hides the tools of others.
    modes: { read: ["default"], work: ["autoEdit"], full: ["yolo"] },
    takesModelOption: true,
    logIn: "run gemini once and log in, or set GEMINI_API_KEY",
    start({ task }) {
      const program = find("gemini");
      if (typeof program !== "string") return program;
      return {
        command: [program, "--acp", ...(task.model === undefined ? [] : [`--model=${task.model}`])],
        // Its launcher would pass no signal on.
        env: { GEMINI_CLI_NO_RELAUNCH: "true" },
      };
    },
  });
}

import type { Engine } from "../engine.ts";
import { baseAcpEngine } from "../acp/base-engine.ts";
import type { FindEngine } from "../find-engine.ts";
import { bareOptions, bareStart } from "./bare.ts";

/** Gemini CLI, spoken to by ACP. */
export function geminiEngine(find: FindEngine): Engine {
  return baseAcpEngine({
    name: "gemini",
    send: "queues",
    usage: "round",
    denial: "goes_on",
    // What goes beyond these modes is asked. `plan` would ask for nothing, and hides the tools of others.
    modes: { read: ["default"], work: ["autoEdit"], full: ["yolo"] },
    takesModelOption: true,
    bare: ["user_memory", "environment"],
    untoldStops: ["max_tokens", "refusal"],
    commandSigns: ["/", "$"],
    logIn: "run gemini once and log in, or set GEMINI_API_KEY",
    start({ task }) {
      const program = find("gemini");
      if (typeof program !== "string") return program;
      const model = task.model === undefined ? [] : [`--model=${task.model}`];
      const more = task.bare ? bareStart : undefined;
      return {
        ...more,
        command: [program, "--acp", ...(task.bare ? bareOptions : []), ...model],
        // Its launcher would pass no signal on.
        env: { ...more?.env, GEMINI_CLI_NO_RELAUNCH: "true" },
      };
    },
  });
}

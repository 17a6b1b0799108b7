import { existsSync } from "node:fs";
import { claudeConversation } from "../../../engine/claude/conversation.ts";
import type { Engine } from "../engine.ts";

/** Plays a file instead of asking a model. `programFile` is the built program. */
export function scriptedEngine(programFile: string): Engine {
  return {
    name: "scripted",
    abilities: {
      resume: true,
      structured_result: true,
      permissions: true,
      send: "queues",
      hooks: "http",
      tools: true,
      mcp: false,
      usage: "stream",
      cost: false,
    },
    manners: { denial: "goes_on", interrupt: "ends_command" },
    bare: [],
    untoldStops: [],
    logIn: "it needs no log-in",
    ownProgram: programFile,
    lacks({ script }) {
      if (script === null || existsSync(script)) return undefined;
      const fix = "set CLEW_SCRIPT=FILE, or: clew config set engines.scripted.script FILE";
      return { reason: `there is no script ${script}`, fix };
    },
    start({ task, resume, settings: { script } }) {
      if (script === null) {
        return {
          reason: "the engine scripted has no script to play: set CLEW_SCRIPT=FILE or engines.scripted.script",
          fix: "clew config set engines.scripted.script FILE",
        };
      }
      const tools = task.bare ? [] : task.tools;
      const options = [
        ...(task.model === undefined ? [] : [`--model=${task.model}`]),
        ...(tools === undefined ? [] : [`--tools=${tools.join(",")}`]),
        ...(resume === undefined ? [] : [`--resume=${resume}`]),
        ...(task.rounds === undefined ? [] : [`--max-rounds=${task.rounds}`]),
      ];
      return {
        // After `--` a file may have any name.
        command: [process.execPath, programFile, ...options, "--", script],
      };
    },
    converse: ({ task }, write) => claudeConversation(task, write),
  };
}

import { createClaudeReader } from "../../../engine/claude-stream.ts";
import type { Engine } from "../engine.ts";

/** Plays a file instead of asking a model. `programFile` is the built program. */
export function scriptedEngine(programFile: string): Engine {
  return {
    name: "scripted",
    start({ prompt, model, settings: { script } }) {
      if (script === null) {
        return { reason: "the engine scripted has no script to play: set CLEW_SCRIPT=FILE or engines.scripted.script" };
      }
      const options = model === undefined ? [] : [`--model=${model}`];
      // After `--` a file may have any name.
      return { command: [process.execPath, programFile, ...options, "--", script], stdin: prompt };
    },
    reader: createClaudeReader,
  };
}

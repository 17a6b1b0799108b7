import { claudeInput } from "../../../engine/claude-input.ts";
import { createClaudeReader } from "../../../engine/claude-stream.ts";
import type { Engine } from "../engine.ts";

/** Plays a file instead of asking a model. `programFile` is the built program. */
export function scriptedEngine(programFile: string): Engine {
  return {
    name: "scripted",
    start({ prompt, model, resume, live, settings: { script } }) {
      if (script === null) {
        return { reason: "the engine scripted has no script to play: set CLEW_SCRIPT=FILE or engines.scripted.script" };
      }
      const options = [
        ...(model === undefined ? [] : [`--model=${model}`]),
        ...(resume === undefined ? [] : [`--resume=${resume}`]),
        ...(live ? ["--live"] : []),
      ];
      // After `--` a file may have any name.
      const command = [process.execPath, programFile, ...options, "--", script];
      return live ? { command, stdin: claudeInput.message(prompt), input: claudeInput } : { command, stdin: prompt };
    },
    reader: createClaudeReader,
  };
}

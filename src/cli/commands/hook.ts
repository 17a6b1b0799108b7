import { Command } from "commander";
import type { CliContext } from "../context.ts";

/** For its help alone: `main/hook.ts` answers engines, before this is loaded. */
export function define(_: CliContext): Command {
  return new Command("hook")
    .description("Takes what an engine tells its hooks, as JSON on stdin. Engines call it: clew hooks install.")
    .argument("[event]", "what happened: pre-tool-use, or the engine's own name of it; else the payload tells")
    .option("--engine <name>", "which engine calls: claude, codex, gemini, qwen, opencode")
    .addHelpText("after", help);
}

const help = `
It needs no daemon. What is told is on disk when it ends. An agent that you started becomes a session: clew session list. What
agents tell that Clew started is kept as evidence. It exits 0, and a fault of Clew's never stops an agent; only a policy
says no (clew policy). Faults are shown by clew doctor.

Example:
  $ echo '{"session_id": "s-1", "hook_event_name": "Stop"}' | clew hook stop`;

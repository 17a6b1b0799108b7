import type { Json } from "../../../contract/grimoire.ts";
import type { Turn } from "./script.ts";
import { runTool, writeTool, type ToolOutcome } from "./tools.ts";

/** What a performance needs of the world. */
export interface Stage {
  folder: string;
  model: string;
  newId(): string;
  /** Resolves once the line is out. */
  print(line: Json): Promise<void>;
  sleep(ms: number): Promise<void>;
  monotonicMs(): number;
}

/**
 * Plays the turns as an agent would live them, and prints them as Claude Code does: a line for each block of a message,
 * then the tool's result. Gives what went wrong, or nothing when it ended with a result of any kind.
 */
export async function play(turns: readonly Turn[], stage: Stage): Promise<string | undefined> {
  const sessionId = stage.newId();
  const startedMs = stage.monotonicMs();
  const used = { input_tokens: 0, output_tokens: 0 };
  let rounds = 0;
  let lastWords = "";

  const line = (fields: { [key: string]: Json }): Promise<void> =>
    stage.print({ ...fields, session_id: sessionId, uuid: stage.newId() });

  await line({ type: "system", subtype: "init", cwd: stage.folder, tools: ["Write", "Bash"], model: stage.model });

  async function playTurn(turn: Turn): Promise<void> {
    const usage = { input_tokens: turn.usage?.input ?? 0, output_tokens: turn.usage?.output ?? 0 };
    const message = { id: `msg_${stage.newId()}`, type: "message", role: "assistant", model: stage.model, usage };
    used.input_tokens += usage.input_tokens;
    used.output_tokens += usage.output_tokens;

    const say = (block: Json): Promise<void> =>
      line({ type: "assistant", message: { ...message, content: [block] }, parent_tool_use_id: null });

    async function use(name: string, input: Json, work: () => ToolOutcome): Promise<void> {
      const id = `toolu_${stage.newId()}`;
      await say({ type: "tool_use", id, name, input });
      const { output, failed } = work();
      const result = { type: "tool_result", tool_use_id: id, content: output, is_error: failed };
      await line({ type: "user", message: { role: "user", content: [result] }, parent_tool_use_id: null });
    }

    const { think, say: words, write, run, tool } = turn;
    if (think !== undefined) await say({ type: "thinking", thinking: think, signature: "" });
    if (words !== undefined) await say({ type: "text", text: words });
    if (write) {
      const input = { file_path: write.path, content: write.content };
      await use("Write", input, () => writeTool(stage.folder, write.path, write.content));
    }
    if (run !== undefined) await use("Bash", { command: run }, () => runTool(stage.folder, run));
    if (tool) await use(tool.name, tool.input ?? {}, () => ({ output: textOf(tool.result), failed: false }));
    // Work first, then the wait: whoever watches sees what the agent is at while it takes its time.
    if (turn.delay_ms !== undefined) await stage.sleep(turn.delay_ms);
    lastWords = words ?? lastWords;
  }

  async function finish(outcome: { [key: string]: Json }): Promise<void> {
    const duration = Math.round(stage.monotonicMs() - startedMs);
    const figures = { duration_ms: duration, num_turns: rounds, usage: { ...used }, permission_denials: [] };
    await line({ type: "result", ...outcome, ...figures });
  }

  async function fail(message: string): Promise<string> {
    await finish({ subtype: "error_during_execution", is_error: true, errors: [message] });
    return message;
  }

  if (turns.length === 0) return fail("no turn of the script fits the prompt");
  for (const turn of turns) {
    rounds += 1;
    await playTurn(turn);
    if (turn.fail !== undefined) return fail(turn.fail);
    if (turn.result) {
      const { summary } = turn.result;
      const words = typeof summary === "string" ? summary : "";
      await finish({ subtype: "success", is_error: false, result: words, structured_output: turn.result });
      return undefined;
    }
  }
  await finish({ subtype: "success", is_error: false, result: lastWords });
  return undefined;
}

function textOf(result: Json | undefined): string {
  return typeof result === "string" ? result : JSON.stringify(result ?? "");
}

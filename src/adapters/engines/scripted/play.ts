import type { Json } from "../../../contract/grimoire.ts";
import type { Turn } from "./script.ts";
import { runTool, writeTool, type ToolOutcome } from "./tools.ts";

/** The surroundings in which a script is played. */
export interface Stage {
  folder: string;
  model: string;
  /** The only tools that may be used; all without it. */
  tools?: readonly string[];
  sessionId: string;
  newId(): string;
  /** Resolves once the line is written. */
  print(line: Json): Promise<void>;
  /** Ends early when it is aborted; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  monotonicMs(): number;
  /** What all messages of the session cost so far; without `usd` while no turn told a cost. */
  cost: { usd?: number };
  /** How a permission was answered. Denies when it is aborted; never rejects. */
  answerTo(requestId: string, signal: AbortSignal): Promise<Answer>;
}

/** Why it was denied, or which tools are allowed from now on. */
export type Answer = { denial: string } | { allowedTools: string[] };

/** The output of an interrupted call, and the error of an interrupted round. */
export const interrupted = "it was interrupted";

type Fields = { [key: string]: Json };

function printLine(stage: Omit<Stage, "answerTo">, fields: Fields): Promise<void> {
  return stage.print({ ...fields, session_id: stage.sessionId, uuid: stage.newId() });
}

/** Prints the first line of a session. */
export function begin(stage: Omit<Stage, "answerTo">): Promise<void> {
  const { folder: cwd, model } = stage;
  const tools = ["Write", "Bash"].filter((tool) => isOffered(stage, tool));
  return printLine(stage, { type: "system", subtype: "init", cwd, tools, model });
}

/**
 * Plays the turns, and prints them as Claude Code does: a line for each block of a message, then the tool's result. Returns
 * the error, or undefined when it ended with a result of any kind. An abort ends it with the result of an interrupted round.
 */
export async function play(turns: readonly Turn[], stage: Stage, signal: AbortSignal): Promise<string | undefined> {
  const startedMs = stage.monotonicMs();
  const totalUsage = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const denials: Fields[] = [];
  const allowedTools = new Set<string>();
  let rounds = 0;
  let lastText = "";

  const line = (fields: Fields): Promise<void> => printLine(stage, fields);

  async function playTurn(turn: Turn): Promise<void> {
    const { cached = 0, cost_usd, ...tokens } = turn.usage ?? { input: 0, output: 0 };
    const uncached = Math.max(0, tokens.input - cached);
    const usage = { input_tokens: uncached, cache_read_input_tokens: cached, output_tokens: tokens.output };
    const message = { id: `msg_${stage.newId()}`, type: "message", role: "assistant", model: stage.model, usage };
    totalUsage.input_tokens += uncached;
    totalUsage.cache_read_input_tokens += cached;
    totalUsage.output_tokens += tokens.output;
    if (cost_usd !== undefined) stage.cost.usd = (stage.cost.usd ?? 0) + cost_usd;

    const speak = (content: Json[]): Promise<void> =>
      line({ type: "assistant", message: { ...message, content }, parent_tool_use_id: null });
    const say = (block: Json): Promise<void> => speak([block]);

    async function tryTool(name: string, work: () => ToolOutcome | Promise<ToolOutcome>): Promise<ToolOutcome> {
      return isOffered(stage, name) ? work() : { output: `there is no tool ${name} for this agent`, failed: true };
    }

    async function use(
      name: string,
      input: Json,
      work: (callId: string) => ToolOutcome | Promise<ToolOutcome>,
    ): Promise<ToolOutcome> {
      const id = `toolu_${stage.newId()}`;
      await say({ type: "tool_use", id, name, input });
      const outcome = signal.aborted ? { output: interrupted, failed: true } : await tryTool(name, () => work(id));
      const result = { type: "tool_result", tool_use_id: id, content: outcome.output, is_error: outcome.failed };
      await line({ type: "user", message: { role: "user", content: [result] }, parent_tool_use_id: null });
      signal.throwIfAborted();
      return outcome;
    }

    async function ask(tool: string, input: Json, callId: string): Promise<ToolOutcome> {
      if (allowedTools.has(tool)) return { output: "allowed", failed: false };
      const requestId = stage.newId();
      const rule = { type: "addRules", rules: [{ toolName: tool }], behavior: "allow", destination: "localSettings" };
      const call = { subtype: "can_use_tool", tool_name: tool, input, tool_use_id: callId };
      const request = { ...call, permission_suggestions: [rule] };
      // The wait begins before the question is printed, because the answer may come at once.
      const answer = stage.answerTo(requestId, signal);
      await line({ type: "control_request", request_id: requestId, request });
      const given = await answer;
      if ("allowedTools" in given) {
        for (const each of given.allowedTools) allowedTools.add(each);
        return { output: "allowed", failed: false };
      }
      denials.push({ tool_name: tool, tool_use_id: callId, tool_input: input });
      return { output: given.denial, failed: true };
    }

    /** Whether all was allowed. Several are asked at once, as by a model that makes several calls. */
    async function askAll(requests: { tool: string; input?: Json }[]): Promise<boolean> {
      const asked = requests.map(({ tool, input = {} }) => use(tool, input, (id) => ask(tool, input, id)));
      return (await Promise.all(asked)).every(({ failed }) => !failed);
    }

    const { think, say: text, ask: requests = [], write, run, tool } = turn;
    if (think !== undefined) await say({ type: "thinking", thinking: think, signature: "" });
    if (text !== undefined) await say({ type: "text", text: text });
    lastText = text ?? lastText;
    // One turn is one round, also when the model only gives its result.
    if ([think, text, turn.ask, write, run, tool].every((part) => part === undefined)) await speak([]);
    if (await askAll([requests].flat())) {
      if (write) {
        const file = { file_path: write.path, content: write.content };
        await use("Write", file, () => writeTool(stage.folder, write.path, write.content));
      }
      if (run !== undefined) await use("Bash", { command: run }, () => runTool(stage.folder, run, signal));
      if (tool) await use(tool.name, tool.input ?? {}, () => ({ output: textOf(tool.result), failed: false }));
    }
    // Work first, then the delay, so that an observer sees what the agent does meanwhile.
    if (turn.delay_ms !== undefined) await stage.sleep(turn.delay_ms, signal);
    signal.throwIfAborted();
  }

  async function finish(outcome: Fields): Promise<void> {
    const duration = Math.round(stage.monotonicMs() - startedMs);
    const figures = { duration_ms: duration, num_turns: rounds, usage: { ...totalUsage }, permission_denials: denials };
    const { usd } = stage.cost;
    const cost = usd === undefined ? {} : { total_cost_usd: usd };
    await line({ type: "result", ...outcome, ...figures, ...cost });
  }

  async function fail(message: string, reason?: string): Promise<string> {
    const terminal = reason === undefined ? {} : { terminal_reason: reason };
    await finish({ subtype: "error_during_execution", is_error: true, errors: [message], ...terminal });
    return message;
  }

  async function playAll(): Promise<string | undefined> {
    signal.throwIfAborted();
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
    await finish({ subtype: "success", is_error: false, result: lastText });
    return undefined;
  }

  try {
    return await playAll();
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
    return fail(interrupted, "aborted_tools");
  }
}

function isOffered({ tools }: Pick<Stage, "tools">, tool: string): boolean {
  return tools?.includes(tool) ?? true;
}

function textOf(result: Json | undefined): string {
  return typeof result === "string" ? result : JSON.stringify(result ?? "");
}

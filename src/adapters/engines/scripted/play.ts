import type { AnswerStop } from "../../../contract/engine.ts";
import type { Json } from "../../../contract/grimoire.ts";
import { fieldsOf, textOf, type Fields } from "../../../engine/read-fields.ts";
import type { Turn } from "./script.ts";
import { textFor, type StageHooks } from "./stage-hooks.ts";
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
  /** How many rounds all messages of the session took so far, and may take. */
  rounds: { played: number; most: number };
  hooks: StageHooks;
  /** How a permission was answered. Denies when it is aborted; never rejects. */
  answerTo(requestId: string, signal: AbortSignal): Promise<Answer>;
}

/** Why it was denied, or which tools are allowed from now on. */
export type Answer = { denial: string } | { allowedTools: string[] };

/** The output of an interrupted call, and the error of an interrupted round. */
export const interrupted = "it was interrupted";

/** The subtype of a result that tells of an error. */
const failing = "error_during_execution";

/** How the turns ended, as the result tells it. */
type Ending = {
  subtype: string;
  failure?: string;
  result?: string;
  structured_output?: Json;
  stop_reason?: AnswerStop;
};

/** Does the work of a call, with the input that counts. */
type Work = (input: Fields, callId: string) => ToolOutcome | Promise<ToolOutcome>;

const allowed: ToolOutcome = { output: "allowed", failed: false };

const outOfRounds = "it may make no further round";

function printLine(stage: Omit<Stage, "answerTo">, fields: Fields): Promise<void> {
  return stage.print({ ...fields, session_id: stage.sessionId, uuid: stage.newId() });
}

/** What is played for: a message, and the turns that fit it. */
export interface Part {
  prompt: string;
  /** Whether a turn fits, given what hooks added for the model until then. */
  fits: (turn: Turn, heard: string) => boolean;
}

/** Prints the first line of a session. */
export async function begin(stage: Omit<Stage, "answerTo">, isResumed: boolean): Promise<void> {
  const { folder: cwd, model } = stage;
  await stage.hooks.begin(isResumed ? "resume" : "startup");
  const tools = ["Write", "Bash"].filter((tool) => isOffered(stage, tool));
  await printLine(stage, { type: "system", subtype: "init", cwd, tools, model });
}

/**
 * Plays the turns, and prints them as Claude Code does: a line for each block of a message, then the tool's result. Returns
 * the error, or undefined when it ended with a result of any kind. An abort ends it with the result of an interrupted round.
 */
export async function play(
  turns: readonly Turn[],
  { prompt, fits }: Part,
  stage: Stage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { hooks } = stage;
  hooks.isSkipped = false;
  const startedMs = stage.monotonicMs();
  const totalUsage = { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 0 };
  const denials: Fields[] = [];
  const allowedTools = new Set<string>();
  let rounds = 0;
  let lastText = "";
  /** Why a hook stopped it. */
  let stopped: string | undefined;

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

    async function tryTool(name: string, input: Fields, id: string, work: Work): Promise<ToolOutcome> {
      if (!isOffered(stage, name)) return { output: `there is no tool ${name} for this agent`, failed: true };
      const outcome = await hooks.call(
        { name, input, id },
        {
          work: (given) => work(given, id),
          ask: (given) => ask(name, given, id),
          isInterrupted: () => signal.aborted,
          monotonicMs: () => stage.monotonicMs(),
        },
      );
      stopped ??= outcome.stop;
      return outcome;
    }

    async function use(name: string, input: Fields, work: Work): Promise<ToolOutcome> {
      const id = `toolu_${stage.newId()}`;
      await say({ type: "tool_use", id, name, input });
      const outcome = signal.aborted ? { output: interrupted, failed: true } : await tryTool(name, input, id, work);
      const result = { type: "tool_result", tool_use_id: id, content: outcome.output, is_error: outcome.failed };
      const details = name === "Bash" && !outcome.failed ? { tool_use_result: bashDetails(outcome.output) } : {};
      await line({ type: "user", message: { role: "user", content: [result] }, parent_tool_use_id: null, ...details });
      signal.throwIfAborted();
      return outcome;
    }

    async function ask(tool: string, input: Fields, callId: string): Promise<ToolOutcome> {
      if (allowedTools.has(tool)) return allowed;
      const { decision, reason } = await hooks.tell("PermissionRequest", { tool_name: tool, tool_input: input });
      if (decision === "allow") return allowed;
      if (decision === "deny") return denied(tool, input, callId, reason ?? "a hook denied it");
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
        return allowed;
      }
      return denied(tool, input, callId, given.denial);
    }

    function denied(tool: string, input: Fields, callId: string, reason: string): ToolOutcome {
      denials.push({ tool_name: tool, tool_use_id: callId, tool_input: input });
      return { output: reason, failed: true };
    }

    /** Whether all was allowed. Several are asked at once, as by a model that makes several calls. */
    async function askAll(requests: { tool: string; input?: Json }[]): Promise<boolean> {
      const asked = requests.map(({ tool, input }) => use(tool, fieldsOf(input), (given, id) => ask(tool, given, id)));
      return (await Promise.all(asked)).every(({ failed }) => !failed);
    }

    const { think, say: text, ask: requests = [], write, run, tool, compact } = turn;
    hooks.isSkipped = turn.hooks === false;
    if (compact !== undefined) await hooks.compact(compact, totalUsage.input_tokens);
    if (think !== undefined) await say({ type: "thinking", thinking: think, signature: "" });
    if (text !== undefined) await say({ type: "text", text: text });
    lastText = text ?? lastText;
    // One turn is one round, also when the model only gives its result.
    if ([think, text, turn.ask, write, run, tool].every((part) => part === undefined)) await speak([]);
    if (await askAll([requests].flat())) {
      if (write) {
        const file = { file_path: write.path, content: write.content };
        await use("Write", file, (given) =>
          writeTool(stage.folder, textOf(given.file_path) ?? write.path, textOf(given.content) ?? ""),
        );
      }
      if (run !== undefined)
        await use("Bash", { command: run }, (given) => runTool(stage.folder, textOf(given.command) ?? run, signal));
      if (tool) await use(tool.name, fieldsOf(tool.input), () => ({ output: textFor(tool.result), failed: false }));
    }
    await hooks.endBatch();
    // Work first, then the delay, so that an observer sees what the agent does meanwhile.
    if (turn.delay_ms !== undefined) await stage.sleep(turn.delay_ms, signal);
    signal.throwIfAborted();
    hooks.isSkipped = false;
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
    await finish({ subtype: failing, is_error: true, errors: [message], ...terminal });
    return message;
  }

  /** Plays the turns that fit, in order, and returns how they end; undefined when there was none. */
  async function playTurns(isFitting: Part["fits"]): Promise<Ending | undefined> {
    let ending: Ending | undefined;
    for (const turn of turns) {
      if (!isFitting(turn, hooks.heard)) continue;
      if (stage.rounds.played >= stage.rounds.most) return { subtype: "error_max_turns", failure: outOfRounds };
      rounds += 1;
      stage.rounds.played += 1;
      await playTurn(turn);
      if (stopped !== undefined) return { subtype: failing, failure: stopped };
      if (turn.fail !== undefined) return { subtype: failing, failure: turn.fail };
      if (turn.stop !== undefined) return { subtype: "success", result: lastText, stop_reason: turn.stop };
      const summary = textOf(turn.result?.summary) ?? "";
      if (turn.result) return { subtype: "success", result: summary, structured_output: turn.result };
      ending = { subtype: "success", result: lastText };
    }
    return ending;
  }

  async function playAll(): Promise<string | undefined> {
    signal.throwIfAborted();
    const { decision, reason = "a hook refused the prompt", stop } = await hooks.tell("UserPromptSubmit", { prompt });
    if (stop !== undefined || decision === "deny") return fail(stop ?? reason);
    let ending = await playTurns(fits);
    if (!ending) return fail("no turn of the script fits the prompt");
    ending = await goOnWhereAsked(ending);
    const { failure, ...fields } = ending;
    if (failure === undefined) await finish({ ...fields, is_error: false });
    else await finish({ ...fields, is_error: true, errors: [failure] });
    return failure;
  }

  /** A hook may want more before the end: its reason is a further message, once. */
  async function goOnWhereAsked(ending: Ending): Promise<Ending> {
    const last = { last_assistant_message: lastText };
    if (ending.failure !== undefined) {
      await hooks.tell("StopFailure", { ...last, error: "unknown", error_details: ending.failure });
      return ending;
    }
    const rest = { ...last, background_tasks: [], session_crons: [] };
    const { decision, reason = "" } = await hooks.tell("Stop", { stop_hook_active: false, ...rest });
    if (decision !== "deny") return ending;
    const next = await playTurns(({ when }) => when !== undefined && reason.includes(when));
    if (next?.failure === undefined) await hooks.tell("Stop", { stop_hook_active: true, ...rest });
    return next ?? ending;
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

/** What Claude Code adds to the result of a command that came to its end. */
function bashDetails(stdout: string): Fields {
  return { stdout, stderr: "", interrupted: false, isImage: false };
}

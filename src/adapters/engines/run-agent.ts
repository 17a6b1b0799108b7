import { setTimeout as pause } from "node:timers/promises";
import type { AgentEnd, AgentHandle, AgentRequest, Agents } from "../../app/engine/agents.ts";
import type { McpServer, ResultTool, ResultTools } from "../../app/engine/result-tool.ts";
import type { EngineEvent, PermissionOption } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Json } from "../../contract/json.ts";
import { mcpVariables } from "../../contract/mcp.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Usage } from "../../contract/run.ts";
import type { Activity } from "../../engine/activity.ts";
import type { Conversation, Refusal } from "../../engine/conversation.ts";
import { createFold } from "../../engine/fold.ts";
import { isWithinLevel } from "../../engine/level.ts";
import { isFinal, problemIn, wayOut } from "../../engine/problems.ts";
import { judge, resultOf, resultProblem, type HandedIn } from "../../engine/result-contract.ts";
import { resultSchema } from "../../engine/result-schema.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { Redactor } from "../../redact/redactor.ts";
import type { PriceTable } from "../../engine/prices.ts";
import { ChildInput } from "../shell/child-input.ts";
import { runChild, type ChildEnd } from "../shell/run-child.ts";
import { AgentPrices } from "./agent-prices.ts";
import type { Engine, EngineStart } from "./engine.ts";
import { listen } from "./listen.ts";
import { loadPriceTable } from "./price-table.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { Transcripts } from "./transcript-files.ts";

export interface AgentParts {
  engines: readonly Engine[];
  redactor: Redactor;
  transcripts: Transcripts;
  /** The environment that all engines inherit. */
  env: Record<string, string | undefined>;
  newId: () => string;
  /** Loaded with the first agent that hands in a result. */
  resultTools?: () => Promise<ResultTools>;
  timeouts?: Partial<AgentTimeouts>;
  /** An engine that prints more is ended. */
  maxOutputBytes?: number;
  /** The usual prices when absent. */
  loadPrices?: () => Promise<PriceTable>;
}

/** On a busy machine some engines take that long. */
const defaultTimeouts = {
  /** To act on an interrupt, and again to end once its stdin is closed. */
  stopMs: 15_000,
  /** To print its first line; an engine that resumes in a wrong folder may print none, ever. */
  firstLineMs: 180_000,
};
type AgentTimeouts = typeof defaultTimeouts;

/** Nothing of it is held in memory, and an agent may work for many hours. */
const defaultMaxOutputBytes = 8 * 1024 ** 3;

/** Agents as processes. */
export function engineAgents(parts: AgentParts): Agents {
  return {
    run: (request) => new RunningAgent(parts, request),
    traitsOf: (engine) => parts.engines.find(({ name }) => name === engine),
    async isCostKnown(engineName, model) {
      const { usage = false, cost = false } = parts.engines.find(({ name }) => name === engineName)?.abilities ?? {};
      if (usage === false || cost) return cost;
      return model !== undefined && (await (parts.loadPrices ?? loadPriceTable)())(model) !== undefined;
    },
  };
}

/** Events that show that an engine is at work, even after a result. */
const workTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "tool_call", "permission"]);

class RunningAgent implements AgentHandle {
  readonly id: string;
  readonly done: Promise<AgentEnd>;
  readonly #parts: AgentParts;
  readonly #request: AgentRequest;
  readonly #engine: Engine | undefined;
  readonly #timeouts: AgentTimeouts;
  readonly #fold = createFold();
  readonly #prices: AgentPrices;
  readonly #stdin = new ChildInput();
  #conversation: Conversation | undefined;
  #handedIn: HandedIn = {};
  /** Permissions that wait for an answer. */
  readonly #permissions = new Map<string, PermissionOption[]>();
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();
  #isWorking = true;
  /** Messages that the engine takes up one by one, each when the round before has ended. */
  #waitingMessages = 0;
  /** A message that waited is about to get its round. */
  #hasMoreRounds = false;
  #isOver = false;
  /** What it was doing when it was asked to stop. */
  #stoppedAt: "work" | "rest" | "start" | "problem" | undefined;
  /** Counts what the engine printed. */
  #chunks = 0;
  /** Called at each result. */
  #onResult = (): void => {};

  constructor(parts: AgentParts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#timeouts = { ...defaultTimeouts, ...parts.timeouts };
    this.#prices = new AgentPrices(parts.loadPrices ?? loadPriceTable, request.task.model);
    this.id = parts.newId();
    this.#engine = parts.engines.find(({ name }) => name === request.engine);
    this.done = this.#run();
  }

  get activities(): readonly Activity[] {
    return this.#fold.state().activities;
  }

  get current(): Activity | undefined {
    return this.#isWorking && !this.#isOver ? this.activities.at(-1) : undefined;
  }

  get usage(): Usage | undefined {
    return this.#fold.state(this.#prices.priceOf).usage;
  }

  get rounds(): number {
    return this.#fold.state().rounds ?? 0;
  }

  send(text: string): void {
    refuseUnlessTaken(this.#openConversation("messages").send(text));
    if (this.#isWorking && this.#engine?.abilities.send === "queues") this.#waitingMessages += 1;
    this.#isWorking = true;
  }

  answer(permissionId: string, optionId: string): void {
    const conversation = this.#openConversation("answers");
    const options = this.#permissions.get(permissionId);
    if (!options) {
      const hint = "it was answered before, or never asked for";
      throw new ClewError("not_possible_now", `the agent does not wait for the permission ${permissionId}`, hint);
    }
    const optionIds = options.map(({ id }) => id);
    if (!optionIds.includes(optionId)) {
      throw new ClewError("invalid_input", `a permission has no option ${optionId}`, `one of: ${optionIds.join(", ")}`);
    }
    refuseUnlessTaken(conversation.answer(permissionId, optionId));
    this.#permissions.delete(permissionId);
  }

  stop(): void {
    if (this.#stoppedAt !== undefined || this.#isOver) return;
    this.#stoppedAt = this.#isWorking ? "work" : "rest";
    void this.#endGently();
  }

  kill(): void {
    this.#stoppedAt = "work";
    this.#killing.abort();
    this.#ending.abort();
  }

  /** Only in this order do all engines end their own processes: interrupt, result, end of stdin, SIGTERM. */
  async #endGently(): Promise<void> {
    const over = this.done.then(nothing, nothing);
    if (this.#conversation && this.#stoppedAt !== "rest") {
      const turnEnded = new Promise<void>((resolve) => (this.#onResult = resolve));
      this.#conversation.interrupt();
      await Promise.race([turnEnded, over, this.#patience()]);
    }
    this.#stdin.close();
    await Promise.race([over, this.#patience()]);
    this.#ending.abort();
  }

  /** It has given its result: it ends by itself when its stdin does, unless something of it still works. */
  async #endAfterResult(): Promise<void> {
    const over = this.done.then(nothing, nothing);
    this.#stdin.close();
    for (let seen = -1; seen !== this.#chunks && !this.#isOver;) {
      seen = this.#chunks;
      await Promise.race([over, this.#patience()]);
    }
    if (this.#isOver) return;
    this.#stoppedAt ??= this.#isWorking ? "work" : "rest";
    this.#ending.abort();
  }

  #patience(): Promise<void> {
    return pause(this.#timeouts.stopMs, undefined, { ref: false });
  }

  #openConversation(what: string): Conversation {
    if (this.#isOver || this.#stoppedAt !== undefined) {
      const hint = "resume its session with a new agent";
      throw new ClewError("not_possible_now", `the agent has ended, or is about to, and takes no ${what}`, hint);
    }
    if (this.#conversation) return this.#conversation;
    const { engine } = this.#request;
    throw new ClewError("not_available", `this agent of ${engine} takes no ${what}`, "wait until it has ended");
  }

  async #run(): Promise<AgentEnd> {
    try {
      const { engines } = this.#parts;
      const engine = this.#engine;
      if (!engine) {
        const engineNames = engines.map(({ name }) => name).join(", ");
        return notStarted(`there is no engine ${this.#request.engine}; known: ${engineNames}`);
      }
      if (this.#request.needsCost) await this.#prices.load();
      return await this.#withResultTool(engine, async (server) => {
        const { place, ...request } = this.#request;
        const start = engine.start({ ...request, folder: place.folder, ...(server && { server }) });
        if ("reason" in start) return notStarted(start.reason);
        return this.#supervise(engine, { ...start, env: { ...mcpEnvironment(server), ...start.env } });
      });
    } finally {
      this.#isOver = true;
      this.#stdin.close();
    }
  }

  /** The agent hands in its result by a tool, where a result is asked for and its engine takes MCP servers. */
  async #withResultTool<T>(engine: Engine, work: (server?: McpServer) => Promise<T>): Promise<T> {
    const { resultTools, redactor } = this.#parts;
    if (!resultTools || this.#request.task.until !== "result" || !engine.abilities.mcp) return work();
    let tool: ResultTool;
    try {
      tool = await (
        await resultTools()
      ).open({
        schema: resultSchema,
        check: (value) => this.#checkResult(value),
        onResult: (value) => {
          this.#handedIn = { result: resultOf(redactValue(value, redactor.redact)) };
        },
      });
    } catch {
      // Without a port on loopback, the last message has to do.
      return work();
    }
    try {
      return await work(tool.server);
    } finally {
      await tool.close();
    }
  }

  #checkResult(value: Json): string | undefined {
    const problem = resultProblem(value);
    if (problem === undefined) return undefined;
    this.#handedIn = { ...this.#handedIn, complaint: problem };
    return `the result ${problem}`;
  }

  async #supervise(engine: Engine, start: EngineStart): Promise<AgentEnd> {
    const { redactor, transcripts, env } = this.#parts;
    const { place, listeners, signal } = this.#request;
    const transcript = transcripts.open(this.#request.transcript, engine.name);
    const conversation = start.converse((text) => this.#stdin.write(text));
    this.#conversation = conversation;
    const stdout = listen({
      conversation,
      redactor,
      transcript,
      isWithinLevel: (event) => isWithinLevel(this.#request.task.level, event, place.folder),
      onEvent: (event) => this.#take(event),
    });
    const stderr = createStderrLog(redactor, (text) => listeners.onStderr(text));
    const firstLine = setTimeout(() => this.#giveUpStart(), this.#timeouts.firstLineMs).unref();
    conversation.begin();
    const end = await runChild(
      {
        command: start.command,
        folder: place.folder,
        env: { ...env, ...place.env, ...start.env },
        stdin: this.#stdin,
        mark: place.mark,
        maxOutputBytes: this.#parts.maxOutputBytes ?? defaultMaxOutputBytes,
        ...(place.detach && { detach: true }),
      },
      {
        signal: AbortSignal.any([signal, this.#ending.signal]),
        kill: this.#killing.signal,
        onStarted: (process) => listeners.onStarted(process),
        onStdout: (text) => {
          this.#chunks += 1;
          clearTimeout(firstLine);
          stdout.push(text);
        },
        onStderr: stderr.push,
      },
    );
    clearTimeout(firstLine);
    this.#isOver = true;
    stdout.end();
    stderr.end();
    if (lacksCost(this.usage)) await this.#prices.load();
    return withProblem(this.#endOf(end, stderr.tail()), engine);
  }

  /** An engine would try for minutes what cannot succeed. */
  #giveUpOn(message: string): void {
    const problem = problemIn(message);
    if (problem === undefined || !isFinal(problem) || this.#isOver || this.#stoppedAt !== undefined) return;
    this.#stoppedAt = "problem";
    void this.#endGently();
  }

  #giveUpStart(): void {
    this.#stoppedAt ??= "start";
    this.#ending.abort();
  }

  #take(event: Redacted<EngineEvent>): void {
    this.#fold.add(event);
    this.#prices.take(event);
    if (event.type === "error") this.#giveUpOn(event.message);
    if (event.type === "permission" && event.withdrawn) this.#permissions.delete(event.id);
    else if (event.type === "permission") this.#permissions.set(event.id, event.options);
    if (workTypes.has(event.type)) this.#isWorking = true;
    if (event.type === "result") this.#takeResult();
    this.#request.listeners.onEvent(event);
  }

  #takeResult(): void {
    const wasAwaited = this.#isWorking || this.#hasMoreRounds;
    this.#isWorking = false;
    this.#hasMoreRounds = this.#waitingMessages > 0;
    if (this.#hasMoreRounds) this.#waitingMessages -= 1;
    this.#onResult();
    const isLast = wasAwaited && !this.#hasMoreRounds;
    if (isLast && this.#request.task.until !== "talk" && this.#stoppedAt === undefined) void this.#endAfterResult();
  }

  #endOf(end: ChildEnd, stderr: string): AgentEnd {
    const { code, signal, survivors } = end;
    const { usage, rounds, ...state } = this.#fold.state(this.#prices.priceOf);
    const { message } = state;
    const used = { ...(usage && { usage }), ...(rounds !== undefined && { rounds }) };
    const details = { exitCode: code, ...used, ...(survivors && { left: survivors }) };
    const words = message !== undefined && { words: message };
    const failure = (outcome: AgentEnd["outcome"], error: string): AgentEnd => {
      return { outcome, verdict: { success: false, ...words, error }, ...details };
    };
    if (end.error !== undefined) return { ...notStarted(`the engine could not be started: ${end.error}`), ...details };
    if (end.ended === "too_much_output") return failure("failed", "the engine was ended because it printed too much");
    if (this.#stoppedAt === "start") {
      const seconds = this.#timeouts.firstLineMs / 1000;
      return failure("failed", `the engine was ended because it printed nothing in its first ${seconds} s`);
    }
    if (this.#stoppedAt === "problem") return failure("failed", `the engine said: ${state.error ?? ""}`);
    if (this.#stoppedAt === "work" || (end.ended === "aborted" && this.#stoppedAt === undefined)) {
      // A result that came all the same is not lost.
      const late = this.#isWorking ? undefined : judge(state, { code, signal, stderr }, this.#handedIn);
      if (this.#stoppedAt === "work" && late?.success) return { outcome: "completed", verdict: late, ...details };
      return failure("interrupted", "the engine was stopped");
    }
    // One that died at work has no result for it, only those of earlier rounds.
    if (this.#isWorking) delete state.result;
    const verdict = judge(state, { code, signal, stderr }, this.#handedIn);
    return { outcome: state.result?.failed === false ? "completed" : "failed", verdict, ...details };
  }
}

/** For the engine, and for `clew mcp` below it. What an outer agent got must not reach this one. */
function mcpEnvironment(server: McpServer | undefined): Record<string, string | undefined> {
  const token = server?.headers["authorization"]?.replace(/^Bearer /, "");
  return { [mcpVariables.url]: server?.url, [mcpVariables.token]: token };
}

function withProblem(end: AgentEnd, { logIn }: Engine): AgentEnd {
  if (end.outcome !== "failed" || end.verdict.success) return end;
  const kind = problemIn(end.verdict.error);
  if (kind === undefined) return end;
  const way = wayOut(kind, logIn);
  return { ...end, problem: { kind, wayOut: way }, verdict: { ...end.verdict, error: `${end.verdict.error}: ${way}` } };
}

function lacksCost(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.cost_usd === undefined && usage.input_tokens + usage.output_tokens > 0;
}

function refuseUnlessTaken(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const reason = refusal === "closed" ? "reads no more" : "has not read what it was sent before";
  throw new ClewError("not_possible_now", `the agent ${reason}`, "wait until it has ended, or stop it");
}

function notStarted(error: string): AgentEnd {
  return { outcome: "failed", verdict: { success: false, error }, exitCode: null };
}

function nothing(): void {}

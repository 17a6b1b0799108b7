import { setTimeout as pause } from "node:timers/promises";
import type { AgentEnd, AgentHandle, AgentRequest, Agents } from "../../app/engine/agents.ts";
import type { McpServer } from "../../app/engine/result-tool.ts";
import type { EngineEvent, PermissionOption } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Usage } from "../../contract/run.ts";
import type { Activity } from "../../engine/activity.ts";
import type { Conversation, Refusal } from "../../engine/conversation.ts";
import { createFold } from "../../engine/fold.ts";
import { isWithinLevel } from "../../engine/level.ts";
import { isFinal, problemIn } from "../../engine/problems.ts";
import { ChildInput } from "../shell/child-input.ts";
import { runChild } from "../shell/run-child.ts";
import { agentEnd, notStarted, type StoppedAt } from "./agent-end.ts";
import { defaultMaxOutputBytes, defaultTimeouts, type AgentTimeouts } from "./agent-limits.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import { AgentPrices, lacksCost } from "./agent-prices.ts";
import type { Engine, EngineRequest, EngineStart } from "./engine.ts";
import { listen } from "./listen.ts";
import { loadPriceTable } from "./price-table.ts";
import { replayTranscript } from "./replay-transcript.ts";
import { ResultCalls } from "./result-calls.ts";
import { AgentResultDesk, mcpEnvironment } from "./result-desk.ts";
import { Rounds } from "./rounds.ts";
import { createStderrLog } from "./stderr-log.ts";

/** Agents as processes. */
export function engineAgents(parts: EngineAgentParts): Agents {
  return {
    run: (request) => new RunningAgent(parts, request),
    prices: () => (parts.loadPrices ?? loadPriceTable)(),
    replay: (request, onEvent) => replayTranscript(parts, request, onEvent),
    traitsOf: (engine) => parts.engines.find(({ name }) => name === engine),
    async isCostKnown(engineName, model) {
      const { usage = false, cost = false } = parts.engines.find(({ name }) => name === engineName)?.abilities ?? {};
      if (usage === false || cost) return cost;
      return model !== undefined && (await (parts.loadPrices ?? loadPriceTable)())(model) !== undefined;
    },
  };
}

class RunningAgent implements AgentHandle {
  readonly id: string;
  readonly done: Promise<AgentEnd>;
  readonly #parts: EngineAgentParts;
  readonly #request: AgentRequest;
  readonly #engine: Engine | undefined;
  readonly #timeouts: AgentTimeouts;
  readonly #fold = createFold();
  readonly #prices: AgentPrices;
  readonly #stdin = new ChildInput();
  #conversation: Conversation | undefined;
  readonly #desk: AgentResultDesk;
  readonly #resultCalls: ResultCalls;
  readonly #rounds = new Rounds();
  #transcript: string | undefined;
  /** Permissions that wait for an answer. */
  readonly #permissions = new Map<string, PermissionOption[]>();
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();
  #firstEvent: NodeJS.Timeout | undefined;
  #isOver = false;
  #stoppedAt: StoppedAt | undefined;
  /** Counts what the engine printed. */
  #chunks = 0;
  /** Called at each result. */
  #onResult = (): void => {};

  constructor(parts: EngineAgentParts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#timeouts = { ...defaultTimeouts, ...parts.timeouts };
    this.#desk = new AgentResultDesk(parts.redactor);
    this.#resultCalls = new ResultCalls(this.#timeouts.resultCallMs, () => this.#giveUp("result_call"));
    this.#prices = new AgentPrices(parts.loadPrices ?? loadPriceTable, request.task.model);
    this.id = parts.newId();
    this.#engine = parts.engines.find(({ name }) => name === request.engine);
    this.done = this.#run();
  }

  get transcript(): string | undefined {
    return this.#transcript;
  }

  get activities(): readonly Activity[] {
    return this.#fold.state().activities;
  }

  get current(): Activity | undefined {
    return this.#rounds.isWorking && !this.#isOver ? this.activities.at(-1) : undefined;
  }

  get usage(): Usage | undefined {
    return this.#fold.state(this.#prices.priceOf).usage;
  }

  get rounds(): number {
    return this.#fold.state().rounds ?? 0;
  }

  send(text: string): void {
    refuseUnlessTaken(this.#openConversation("messages").send(text));
    this.#rounds.sent(this.#engine?.abilities.send === "queues");
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
    this.#stoppedAt = this.#rounds.isWorking ? "work" : "rest";
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
    this.#stoppedAt ??= this.#rounds.isWorking ? "work" : "rest";
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
      const engine = this.#engine;
      if (!engine) {
        const known = this.#parts.engines.map(({ name }) => name).join(", ");
        return notStarted(`there is no engine ${this.#request.engine}; known: ${known}`);
      }
      if (this.#request.needsCost) await this.#prices.load();
      const handsIn = this.#request.task.until === "result" && engine.abilities.mcp;
      const { resultTools } = this.#parts;
      if (!resultTools || !handsIn) return await this.#start(engine);
      return await this.#desk.whileOpen(resultTools, (server) => this.#start(engine, server));
    } finally {
      this.#isOver = true;
      this.#stdin.close();
    }
  }

  async #start(engine: Engine, server?: McpServer): Promise<AgentEnd> {
    const { place, ...request } = this.#request;
    const engineRequest = { ...request, folder: place.folder, ...(server && { server }) };
    const start = engine.start(engineRequest);
    if ("reason" in start) return notStarted(start.reason);
    return this.#supervise(engine, engineRequest, { ...start, env: { ...mcpEnvironment(server), ...start.env } });
  }

  async #supervise(engine: Engine, request: EngineRequest, start: EngineStart): Promise<AgentEnd> {
    const { redactor, transcripts, env } = this.#parts;
    const { place, listeners, signal } = this.#request;
    const transcript = transcripts.open(this.#request.transcript, engine.name);
    this.#transcript = transcript.name;
    const conversation = engine.converse(request, (text) => this.#stdin.write(text));
    this.#conversation = conversation;
    const stdout = listen({
      conversation,
      redactor,
      transcript,
      isWithinLevel: (event) => isWithinLevel(this.#request.task.level, event, place.folder),
      onEvent: (event, line) => this.#take(event, line),
    });
    const stderr = createStderrLog(redactor, (text) => listeners.onStderr(text));
    this.#firstEvent = setTimeout(() => this.#giveUpStart(), this.#timeouts.firstEventMs).unref();
    conversation.begin();
    const end = await runChild(
      {
        command: start.command,
        folder: place.folder,
        env: { ...env, ...place.env, ...start.env },
        stdin: this.#stdin,
        mark: place.mark,
        keepsBytes: true,
        maxOutputBytes: this.#parts.maxOutputBytes ?? defaultMaxOutputBytes,
        ...(place.detach && { detach: true }),
      },
      {
        signal: AbortSignal.any([signal, this.#ending.signal]),
        kill: this.#killing.signal,
        onStarted: (process) => listeners.onStarted(process),
        onStdout: (text) => {
          this.#chunks += 1;
          stdout.push(text);
        },
        onStderr: stderr.push,
      },
    );
    clearTimeout(this.#firstEvent);
    this.#resultCalls.end();
    this.#isOver = true;
    stdout.end();
    stderr.end();
    if (lacksCost(this.usage)) await this.#prices.load();
    const { isWorking } = this.#rounds;
    const { failure } = this.#resultCalls;
    const handedIn = { ...this.#desk.handedIn, ...(failure !== undefined && { failure }) };
    const state = this.#fold.state(this.#prices.priceOf);
    const [stoppedAt, timeouts] = [this.#stoppedAt, this.#timeouts];
    return agentEnd({ end, stderr: stderr.tail(), state, handedIn, stoppedAt, isWorking, timeouts }, engine);
  }

  /** An engine would try for minutes what cannot succeed. */
  #giveUpOn(message: string): void {
    const problem = problemIn(message);
    if (problem !== undefined && isFinal(problem)) this.#giveUp("problem");
  }

  #giveUp(why: "problem" | "result_call"): void {
    if (this.#isOver || this.#stoppedAt !== undefined) return;
    this.#stoppedAt = why;
    void this.#endGently();
  }

  #giveUpStart(): void {
    this.#stoppedAt ??= "start";
    this.#ending.abort();
  }

  #take(event: Redacted<EngineEvent>, line: number): void {
    clearTimeout(this.#firstEvent);
    this.#fold.add(event);
    this.#prices.take(event);
    this.#resultCalls.take(event);
    if (event.type === "error") this.#giveUpOn(event.message);
    if (event.type === "permission" && event.withdrawn) this.#permissions.delete(event.id);
    else if (event.type === "permission") this.#permissions.set(event.id, event.options);
    const isLast = this.#rounds.take(event);
    if (event.type === "result") this.#onResult();
    if (isLast && this.#request.task.until !== "talk" && this.#stoppedAt === undefined) void this.#endAfterResult();
    this.#request.listeners.onEvent(event, line);
  }
}

function refuseUnlessTaken(refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  const reason = refusal === "closed" ? "reads no more" : "has not read what it was sent before";
  throw new ClewError("not_possible_now", `the agent ${reason}`, "wait until it has ended, or stop it");
}

function nothing(): void {}

import type { AgentEnd, AgentHandle, AgentPlace, AgentRequest } from "../../app/engine/agents.ts";
import type { HookServer } from "../../app/engine/hook-endpoint.ts";
import type { McpServer } from "../../app/engine/result-tool.ts";
import type { AgentPolicy } from "../../app/policy/agent-policy.ts";
import type { EngineEvent, PermissionEvent } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Usage } from "../../contract/run.ts";
import type { Activity } from "../../engine/activity.ts";
import type { Conversation } from "../../engine/conversation.ts";
import { createFold } from "../../engine/fold.ts";
import { isWithinLevel } from "../../engine/level.ts";
import { isFinal, problemIn } from "../../engine/problems.ts";
import { ChildInput } from "../shell/child-input.ts";
import { runChild } from "../shell/run-child.ts";
import { agentEnd, notStarted, type StoppedAt } from "./agent-end.ts";
import { AgentEnding } from "./agent-ending.ts";
import { hookEnvironment, withHooks } from "./agent-hooks.ts";
import { defaultMaxOutputBytes, defaultTimeouts, type AgentTimeouts } from "./agent-limits.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import { AgentPrices, lacksCost } from "./agent-prices.ts";
import { bareDenial, promptProblem, rejectionOf, withBareFolder } from "./bare-agent.ts";
import type { Engine, EngineRequest, EngineStart } from "./engine.ts";
import { listen } from "./listen.ts";
import { loadPriceTable } from "./price-table.ts";
import { OpenPermissions } from "./open-permissions.ts";
import { refuseUnlessTaken } from "./refuse-unless-taken.ts";
import { ResultCalls } from "./result-calls.ts";
import { AgentResultDesk, mcpEnvironment } from "./result-desk.ts";
import { Rounds } from "./rounds.ts";
import { StreamEvidence } from "./stream-evidence.ts";
import { withStartFiles } from "./start-files.ts";
import { createStderrLog } from "./stderr-log.ts";

/** An agent as a process: its handle. */
export class RunningAgent implements AgentHandle {
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
  #witness: StreamEvidence | undefined;
  readonly #desk: AgentResultDesk;
  readonly #resultCalls: ResultCalls;
  readonly #rounds = new Rounds();
  #policy: AgentPolicy | undefined;
  #transcript: string | undefined;
  readonly #permissions = new OpenPermissions();
  readonly #ending: AgentEnding;
  #firstEvent: NodeJS.Timeout | undefined;
  #isOver = false;
  #stoppedAt: StoppedAt | undefined;

  constructor(parts: EngineAgentParts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.#timeouts = { ...defaultTimeouts, ...parts.timeouts };
    this.#desk = new AgentResultDesk(parts.redactor, request.listeners.onResult?.bind(request.listeners));
    this.#resultCalls = new ResultCalls(this.#timeouts.resultCallMs, () => this.#giveUp("result_call"));
    this.#prices = new AgentPrices(parts.loadPrices ?? loadPriceTable, request.task.model);
    this.#ending = new AgentEnding({ stdin: this.#stdin, over: () => this.done, stopMs: this.#timeouts.stopMs });
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

  answer(permissionId: string, optionId: string, reason?: string): void {
    const conversation = this.#openConversation("answers");
    this.#permissions.refuseUnlessOpen(permissionId, optionId);
    refuseUnlessTaken(conversation.answer(permissionId, optionId, reason));
    this.#permissions.close(permissionId);
  }

  fingerprint(permissionId: string): string | undefined {
    return this.#permissions.fingerprint(permissionId);
  }

  isCall(permissionId: string, fingerprint: string): boolean {
    return this.#permissions.isCall(permissionId, fingerprint);
  }

  stop(): void {
    if (this.#stoppedAt !== undefined || this.#isOver) return;
    this.#stoppedAt = this.#rounds.isWorking ? "work" : "rest";
    void this.#endGently();
  }

  kill(): void {
    this.#stoppedAt = "work";
    this.#ending.kill();
  }

  async #endGently(): Promise<void> {
    const conversation = this.#stoppedAt === "rest" ? undefined : this.#conversation;
    await this.#ending.endGently(conversation && (() => conversation.interrupt()));
  }

  /** It has given its result, and is ended when something of it still works but says nothing. */
  async #endAfterResult(): Promise<void> {
    await this.#ending.awaitEnd(() => this.#isOver);
    if (this.#isOver) return;
    this.#stoppedAt ??= this.#rounds.isWorking ? "work" : "rest";
    this.#ending.terminate();
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
      if (this.#parts.policy) this.#policy = await this.#parts.policy(this.#request.rules);
      const { until, bare } = this.#request.task;
      if (bare) return await this.#startBare(engine);
      this.#witness = new StreamEvidence(this.#parts, this.#request, engine);
      const handsIn = until === "result" && engine.abilities.mcp;
      const { resultTools } = this.#parts;
      const start = (server?: McpServer): Promise<AgentEnd> =>
        withHooks(this.#parts, this.#request, engine, (hooks) => {
          const served = hooks && { ...hooks, failsClosed: this.#policy?.isStrict ?? false };
          return this.#start(engine, this.#request.place, server, served);
        });
      return await (resultTools && handsIn ? this.#desk.whileOpen(resultTools, start) : start());
    } finally {
      this.#isOver = true;
      this.#stdin.close();
      await this.#witness?.end();
    }
  }

  /** Nothing is served to it. */
  async #startBare(engine: Engine): Promise<AgentEnd> {
    const { task, place } = this.#request;
    const problem = promptProblem(task, engine);
    if (problem !== undefined) return notStarted(problem);
    return withBareFolder(place, (emptyPlace) => this.#start(engine, emptyPlace));
  }

  async #start(engine: Engine, place: AgentPlace, server?: McpServer, hooks?: HookServer): Promise<AgentEnd> {
    const { place: _, ...request } = this.#request;
    const engineRequest = { ...request, folder: place.folder, ...(server && { server }), ...(hooks && { hooks }) };
    const start = engine.start(engineRequest);
    if ("reason" in start) return notStarted(start.reason);
    const env = { ...mcpEnvironment(server), ...hookEnvironment(hooks), ...start.env };
    return withStartFiles(start, place.folder, (fileEnv) =>
      this.#supervise(engine, engineRequest, place, { ...start, env: { ...env, ...fileEnv } }),
    );
  }

  async #supervise(engine: Engine, request: EngineRequest, place: AgentPlace, start: EngineStart): Promise<AgentEnd> {
    const { redactor, transcripts, env } = this.#parts;
    const { task, listeners, signal } = this.#request;
    const transcript = transcripts.open(this.#request.transcript, engine.name);
    this.#transcript = transcript.name;
    const conversation = engine.converse(request, (text) => this.#stdin.write(text));
    this.#conversation = conversation;
    const stdout = listen({
      conversation,
      redactor,
      transcript,
      isWithinLevel: (event) => !task.bare && isWithinLevel(task.level, event, place.folder),
      policyOn: (event) => this.#policy?.judge(event, { folder: place.folder, step: place.env["CLEW_STEP"] }),
      onAsked: (event) => this.#permissions.keepCall(event),
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
        kill: this.#ending.killSignal,
        onStarted: (process) => listeners.onStarted(process),
        onStdout: (text) => {
          this.#ending.sawOutput();
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
    this.#ending.terminate();
  }

  #take(event: Redacted<EngineEvent>, line: number): void {
    clearTimeout(this.#firstEvent);
    this.#fold.add(event);
    this.#prices.take(event);
    this.#resultCalls.take(event);
    this.#witness?.take(event);
    if (event.type === "error") this.#giveUpOn(event.message);
    if (event.type === "permission") this.#permissions.take(event);
    const isLast = this.#rounds.take(event);
    if (event.type === "result") this.#ending.sawResult();
    if (isLast && this.#request.task.until !== "talk" && this.#stoppedAt === undefined) void this.#endAfterResult();
    this.#request.listeners.onEvent(event, line);
    if (this.#request.task.bare && event.type === "permission") this.#denyBare(event);
  }

  /** No listener answers for a bare agent, and none has to. */
  #denyBare({ id, options, withdrawn }: PermissionEvent): void {
    if (withdrawn || this.#isOver || this.#stoppedAt !== undefined) return;
    const rejection = rejectionOf({ options });
    if (rejection === undefined) this.stop();
    else this.answer(id, rejection, bareDenial);
  }
}

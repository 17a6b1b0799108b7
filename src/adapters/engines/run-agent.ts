import { setTimeout as pause } from "node:timers/promises";
import type { AgentEnd, AgentHandle, AgentRequest, Agents } from "../../app/engine/agents.ts";
import type { EngineEvent, PermissionOption } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Usage } from "../../contract/run.ts";
import type { Activity } from "../../engine/activity.ts";
import type { EngineInput } from "../../engine/engine-input.ts";
import { createFold } from "../../engine/fold.ts";
import { judge } from "../../engine/result-contract.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Redactor } from "../../redact/redactor.ts";
import { ChildInput } from "../shell/child-input.ts";
import { runChild, type ChildEnd } from "../shell/run-child.ts";
import type { Engine, EngineStart } from "./engine.ts";
import { listen } from "./listen.ts";
import { createStderrLog } from "./stderr-log.ts";
import type { Transcripts } from "./transcript-files.ts";

export interface AgentParts {
  engines: readonly Engine[];
  redactor: Redactor;
  transcripts: Transcripts;
  /** The environment that all engines inherit. */
  env: Record<string, string | undefined>;
  newId: () => string;
  /** How long an engine has to act on an interrupt, and again to end once its stdin is closed. */
  stopTimeoutMs?: number;
}

/** Agents as processes. */
export function engineAgents(parts: AgentParts): Agents {
  return { run: (request) => new RunningAgent(parts, request) };
}

/** On a busy machine some engines take that long. */
const defaultStopTimeoutMs = 15_000;

/** Events that show that an engine is at work, even after a result. */
const workTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "tool_call", "permission"]);

class RunningAgent implements AgentHandle {
  readonly id: string;
  readonly done: Promise<AgentEnd>;
  readonly #parts: AgentParts;
  readonly #request: AgentRequest;
  readonly #fold = createFold();
  readonly #stdin = new ChildInput();
  /** Makes input for the engine; undefined when it takes no more. */
  #input: EngineInput | undefined;
  /** Permissions that wait for an answer, with the line of the question. */
  readonly #permissions = new Map<string, { line: string; options: PermissionOption[] }>();
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();
  #isWorking = true;
  #isOver = false;
  /** What it was doing when it was asked to stop. */
  #stoppedAt: "work" | "rest" | undefined;
  /** Called at each result. */
  #onResult = (): void => {};

  constructor(parts: AgentParts, request: AgentRequest) {
    this.#parts = parts;
    this.#request = request;
    this.id = parts.newId();
    this.done = this.#run();
  }

  get activities(): readonly Activity[] {
    return this.#fold.state().activities;
  }

  get current(): Activity | undefined {
    return this.#isWorking && !this.#isOver ? this.activities.at(-1) : undefined;
  }

  get usage(): Usage | undefined {
    return this.#fold.state().usage;
  }

  send(text: string): void {
    const input = this.#openInput("messages");
    this.#write(input.message(text));
    this.#isWorking = true;
  }

  answer(permissionId: string, optionId: string): void {
    const input = this.#openInput("answers");
    const permission = this.#permissions.get(permissionId);
    if (!permission) {
      const hint = "it was answered before, or never asked for";
      throw new ClewError("not_possible_now", `the agent does not wait for the permission ${permissionId}`, hint);
    }
    const optionIds = permission.options.map(({ id }) => id);
    if (!optionIds.includes(optionId)) {
      throw new ClewError("invalid_input", `a permission has no option ${optionId}`, `one of: ${optionIds.join(", ")}`);
    }
    this.#write(input.answer(permission.line, optionId));
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
    const wait = (): Promise<void> =>
      pause(this.#parts.stopTimeoutMs ?? defaultStopTimeoutMs, undefined, { ref: false });
    if (this.#input) {
      const turnEnded = new Promise<void>((resolve) => (this.#onResult = resolve));
      this.#stdin.write(this.#input.interrupt());
      if (this.#stoppedAt === "work") await Promise.race([turnEnded, over, wait()]);
      this.#stdin.close();
      await Promise.race([over, wait()]);
    }
    this.#ending.abort();
  }

  #openInput(what: string): EngineInput {
    if (this.#isOver || this.#stoppedAt !== undefined) {
      const hint = "resume its session with a new agent";
      throw new ClewError("not_possible_now", `the agent has ended, or is about to, and takes no ${what}`, hint);
    }
    if (!this.#input) {
      const { engine } = this.#request;
      throw new ClewError("not_available", `this agent of ${engine} takes no ${what}`, "wait until it has ended");
    }
    return this.#input;
  }

  #write(text: string): void {
    const refusal = this.#stdin.write(text);
    if (refusal === undefined) return;
    const reason = refusal === "closed" ? "reads no more" : "has not read what it was sent before";
    throw new ClewError("not_possible_now", `the agent ${reason}`, "wait until it has ended, or stop it");
  }

  async #run(): Promise<AgentEnd> {
    try {
      const { engines } = this.#parts;
      const engine = engines.find(({ name }) => name === this.#request.engine);
      if (!engine) {
        const engineNames = engines.map(({ name }) => name).join(", ");
        return notStarted(`there is no engine ${this.#request.engine}; known: ${engineNames}`);
      }
      const start = engine.start(this.#request);
      return "reason" in start ? notStarted(start.reason) : await this.#supervise(engine, start);
    } finally {
      this.#isOver = true;
      this.#stdin.close();
    }
  }

  async #supervise(engine: Engine, start: EngineStart): Promise<AgentEnd> {
    const { redactor, transcripts, env } = this.#parts;
    const request = this.#request;
    const transcript = transcripts.open(request.transcript, engine.name);
    const onEvent = (event: Redacted<EngineEvent>, line: string): void => this.#take(event, line);
    const stdout = listen({ engine, redactor, transcript, onEvent });
    const stderr = createStderrLog(redactor, (text) => request.onStderr(text));
    this.#input = start.input;
    if (start.input && start.stdin !== undefined) this.#stdin.write(start.stdin);
    const stdin = start.input ? this.#stdin : start.stdin;
    const end = await runChild(
      {
        command: start.command,
        folder: request.folder,
        env: { ...env, ...request.env, ...start.env },
        ...(stdin !== undefined && { stdin }),
        mark: request.mark,
        ...(request.detach && { detach: true }),
      },
      {
        signal: AbortSignal.any([request.signal, this.#ending.signal]),
        kill: this.#killing.signal,
        onStarted: (process) => request.onStarted(process),
        onStdout: stdout.push,
        onStderr: stderr.push,
      },
    );
    stdout.end();
    stderr.end();
    return this.#endOf(end, stderr.tail());
  }

  #take(event: Redacted<EngineEvent>, line: string): void {
    this.#fold.add(event);
    if (event.type === "permission") this.#permissions.set(event.id, { line, options: event.options });
    if (workTypes.has(event.type)) this.#isWorking = true;
    if (event.type === "result") {
      this.#isWorking = false;
      this.#onResult();
    }
    this.#request.onEvent(event);
  }

  #endOf(end: ChildEnd, stderr: string): AgentEnd {
    const { code, signal, survivors } = end;
    const { usage, ...state } = this.#fold.state();
    const { message } = state;
    const details = { exitCode: code, ...(usage && { usage }), ...(survivors && { left: survivors }) };
    const words = message !== undefined && { words: message };
    const failure = (outcome: AgentEnd["outcome"], error: string): AgentEnd => {
      return { outcome, verdict: { success: false, ...words, error }, ...details };
    };
    if (end.error !== undefined) return { ...notStarted(`the engine could not be started: ${end.error}`), ...details };
    if (end.ended === "too_much_output") return failure("failed", "the engine was ended because it printed too much");
    if (this.#stoppedAt === "work" || (end.ended === "aborted" && this.#stoppedAt === undefined)) {
      return failure("interrupted", "the engine was stopped");
    }
    // A live agent that died during a message has no result for it, only those of earlier rounds.
    if (this.#input && this.#isWorking) delete state.result;
    const verdict = judge(state, { code, signal, stderr });
    return { outcome: state.result?.failed === false ? "completed" : "failed", verdict, ...details };
  }
}

function notStarted(error: string): AgentEnd {
  return { outcome: "failed", verdict: { success: false, error }, exitCode: null };
}

function nothing(): void {}

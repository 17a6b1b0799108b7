import type { TalkNews } from "../../contract/api/agent.ts";
import type { SessionAgent } from "../../contract/api/session-agent.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { AgentEnd, AgentHandle, AgentProcess, AgentRequest } from "../engine/agents.ts";
import type { ChatBudget } from "./chat-budget.ts";
import { ChatPermissions, type PermissionWait, type Unanswered } from "./chat-permissions.ts";
import { formatDuration } from "../../text/duration.ts";
import { withoutRefusal } from "../engine/permission-wait.ts";
import type { Receipts } from "../rehydrate/receipts.ts";
import type { QuestionDesk } from "./question-desk.ts";
import type { EngineSession } from "../../session/engine-sessions.ts";
import type { ChatRecord } from "./chat-record.ts";

export interface ChatParts {
  record: ChatRecord;
  desk: QuestionDesk;
  folder: string;
  tell: (news: TalkNews) => void;
  sleep: (ms: number) => Promise<void>;
  /** How long a person may take to answer a permission; for ever without it. */
  permissionWait?: PermissionWait;
  /** Sees to it that the agent does not outlive this process. Returns what ends that. */
  guard?: (process: AgentProcess) => () => void;
  /** The options that go on with the talk beside its id: `--agent NAME`. */
  resumeOptions?: string;
  /** What the agent may use; undefined without limits. */
  budget: ChatBudget | undefined;
  /** The command that goes on with it; `clew ai` when absent. */
  goOnCommand?: string;
  /** Takes what shows that the agent knows where it stands. */
  receipts: Receipts;
  /** Hears what the agent does, beside the record. */
  watch?: ChatWatch;
}

export interface ChatWatch {
  /** The agent's process is there, and has done nothing yet. */
  onStarted(process: AgentProcess, agent: AgentHandle): void;
  /** `line` is its place in the transcript. */
  onEvent(event: Redacted<EngineEvent>, line: number, agent: AgentHandle): void;
  /** The agent is gone, if it ever started. What it left open is not recorded yet. */
  onGone(): void;
}

/** One talk with one live agent. What the agent does is told, recorded, and allowed as far as its level goes. */
export class Chat {
  readonly #parts: ChatParts;
  #agent: AgentHandle | undefined;
  #engineSession: EngineSession | undefined;
  #answer = "";
  readonly #permissions: ChatPermissions;
  /** What kept a question from being asked. */
  #fault: { error: unknown } | undefined;
  #end: AgentEnd | undefined;
  #pauses = false;
  #engine = "";

  constructor(parts: ChatParts) {
    this.#parts = parts;
    const { record, sleep, budget, desk } = parts;
    this.#permissions = new ChatPermissions({
      record,
      desk,
      sleep,
      wait: parts.permissionWait,
      tell: (news) => {
        if (news.type === "answered") budget?.goOn(news.permission);
        parts.tell(news);
      },
      onFault: (error) => {
        this.#fault = { error };
        this.#agent?.stop();
      },
    });
    record.onFault = () => this.#agent?.stop();
  }

  /** How the agent ended, once it has. */
  get end(): AgentEnd | undefined {
    return this.#end;
  }

  /** What the agent is at, for those who look from elsewhere. */
  get standing(): Pick<SessionAgent, "engine_session" | "activities" | "current" | "permissions"> {
    const session = this.#engineSession?.session;
    return {
      ...(session !== undefined && { engine_session: session }),
      activities: [...(this.#agent?.activities ?? [])],
      current: this.#agent?.current ?? null,
      permissions: this.#permissions.questions,
    };
  }

  get #live(): AgentHandle {
    if (this.#agent) return this.#agent;
    throw new ClewError("not_possible_now", "the agent has not started yet", "wait until it has");
  }

  /** Starts the agent, and resolves when it has ended and all is on disk. */
  async run(engine: string, start: (on: AgentRequest["listeners"]) => AgentHandle): Promise<TalkNews> {
    const { record, tell, folder, budget, guard, watch, receipts } = this.#parts;
    this.#engine = engine;
    let endGuard = (): void => undefined;
    this.#agent = start({
      onStarted: (process) => {
        endGuard = guard?.(process) ?? endGuard;
        watch?.onStarted(process, this.#live);
      },
      onStderr: () => {},
      onEvent: (event, line) => {
        if (event.type === "init" && event.engine_session !== undefined) {
          if (this.#engineSession?.session !== event.engine_session) {
            record.addEngineSession({ engine, session: event.engine_session, folder });
          }
          this.#engineSession = { engine, session: event.engine_session, folder };
        }
        receipts.take(event);
        const told = this.#permissions.unanswered ? withoutRefusal(event) : event;
        this.#take(told);
        watch?.onEvent(told, line, this.#live);
      },
    });
    tell({ type: "started", agent: this.#agent.id, session_id: record.id, engine });
    budget?.begin(this.#agent);
    const end = (this.#end = await this.#agent.done.finally(endGuard));
    await budget?.end();
    await this.#permissions.end();
    // The talk goes on without.
    await receipts.settled().catch((error: unknown) => tell({ type: "warning", message: notReceived(error) }));
    watch?.onGone();
    if (this.#fault) throw this.#fault.error;
    return this.#ended(end);
  }

  send(text: string): void {
    this.#live.send(text);
    this.#parts.budget?.goOn();
    this.#parts.record.addMessage(text);
  }

  answer(permission: string, option: string): Promise<void> {
    return this.#permissions.answer(permission, option, this.#live);
  }

  stop(pause: boolean): void {
    this.#pauses = pause;
    this.#agent?.stop();
  }

  kill(): void {
    this.#pauses = true;
    this.#agent?.kill();
  }

  #take(event: EngineEvent): void {
    const { record, tell } = this.#parts;
    record.addEvent(event);
    if (event.type === "message" && event.parent === undefined) this.#answer = event.text;
    if (event.type === "result" && !event.failed && event.text.trim() !== "") this.#answer = event.text;
    if (event.type === "result") record.addCost(this.#agent?.usage?.cost_usd);
    tell({ type: "event", event });
    this.#parts.budget?.take(event, this.#live);
    if (event.type !== "permission") return;
    if (event.withdrawn) this.#permissions.settle(event.id, null);
    else if (this.#permissions.take(event, this.#live)) this.#parts.budget?.wait(event.id);
  }

  /** The command that goes on with the talk. */
  #resumeCommand(): string {
    const { record, resumeOptions, goOnCommand } = this.#parts;
    return goOnCommand ?? [`clew ai ${this.#engine} --resume ${record.id}`, resumeOptions ?? ""].join(" ").trimEnd();
  }

  async #ended(end: AgentEnd): Promise<TalkNews> {
    const { record, budget, permissionWait } = this.#parts;
    const { unanswered } = this.#permissions;
    const permission = unanswered && {
      ...unanswered,
      message: unansweredWords(unanswered, permissionWait!.ms),
      command: this.#resumeCommand(),
    };
    const limit = budget?.reachedAt(end, this.#resumeCommand());
    const isFailed = end.outcome === "failed" && !permission && !budget?.isReached;
    const error = isFailed && !end.verdict.success ? end.verdict.error : undefined;
    record.end({
      // What came to its end is no error, though it passed a limit on the way.
      error: error ?? (end.verdict.success ? undefined : limit?.message) ?? permission?.message,
      costUsd: end.usage?.cost_usd,
      isWhole: end.outcome === "completed",
    });
    await record.written();
    return {
      type: "ended",
      session_id: record.id,
      status: isFailed
        ? "failed"
        : end.outcome === "interrupted" || this.#pauses || limit || permission
          ? "paused"
          : "completed",
      engine_session: this.#engineSession?.session ?? null,
      answer: this.#answer,
      ...(error !== undefined && { error }),
      ...(end.usage && { usage: end.usage }),
      ...(end.rounds !== undefined && { rounds: end.rounds }),
      ...(limit && !isFailed && { limit }),
      ...(permission && { permission }),
    };
  }
}

function unansweredWords({ tool, subject }: Unanswered, waitMs: number): string {
  const call = subject === "" ? tool : `${tool}: ${subject.replaceAll(/\s+/g, " ")}`;
  return `asked whether it may use ${call}, and had no answer after ${formatDuration(waitMs)}; it was stopped, and asks again when it goes on`;
}

function notReceived(error: unknown): string {
  return `that the agent knows where it stands could not be noted: ${error instanceof Error ? error.message : String(error)}`;
}

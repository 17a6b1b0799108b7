import type { TalkNews } from "../../contract/api/agent.ts";
import type { EngineEvent, PermissionEvent, PermissionOption } from "../../contract/engine.ts";
import type { PermissionLevel } from "../../contract/engine-abilities.ts";
import { ClewError } from "../../contract/errors.ts";
import type { LogEntry } from "../../contract/session.ts";
import { isWithinLevel } from "../../engine/level.ts";
import { callSubject } from "../../text/tool-call.ts";
import type { AgentEnd, AgentHandle, AgentRequest } from "../engine/agents.ts";
import type { ChatBudget } from "./chat-budget.ts";
import type { ChatRecord, EngineSession } from "./chat-record.ts";

export interface ChatParts {
  record: ChatRecord;
  level: PermissionLevel;
  folder: string;
  tell: (news: TalkNews) => void;
  /** The entries of the session: an answer may come from the inbox. */
  entries: () => Promise<LogEntry[]>;
  sleep: (ms: number) => Promise<void>;
  /** What the agent may use; undefined without limits. */
  budget: ChatBudget | undefined;
}

/** How often the inbox is looked at for an answer. */
const lookEveryMs = 1_000;

/** One talk with one live agent. What the agent does is told, recorded, and allowed as far as its level goes. */
export class Chat {
  readonly #parts: ChatParts;
  #agent: AgentHandle | undefined;
  #engineSession: EngineSession | undefined;
  #answer = "";
  #waiting = new Set<string>();
  #pauses = false;
  #engine = "";

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  get #live(): AgentHandle {
    if (this.#agent) return this.#agent;
    throw new ClewError("not_possible_now", "the agent has not started yet", "wait until it has");
  }

  /** Starts the agent, and resolves when it has ended and all is on disk. */
  async run(engine: string, start: (on: AgentRequest["listeners"]) => AgentHandle): Promise<TalkNews> {
    const { record, tell, folder, budget } = this.#parts;
    this.#engine = engine;
    this.#agent = start({
      onStarted: () => {},
      onStderr: () => {},
      onEvent: (event) => {
        if (event.type === "init" && event.engine_session !== undefined) {
          this.#engineSession = { engine, session: event.engine_session, folder };
        }
        this.#take(event);
      },
    });
    tell({ type: "started", agent: this.#agent.id, session_id: record.id, engine });
    budget?.begin(this.#agent);
    const end = await this.#agent.done;
    await budget?.end();
    this.#waiting.clear();
    return this.#ended(end);
  }

  send(text: string): void {
    this.#live.send(text);
    this.#parts.budget?.goOn();
    this.#parts.record.addMessage(text);
  }

  answer(permission: string, option: string): void {
    this.#live.answer(permission, option);
    this.#settle(permission, option);
  }

  stop(pause: boolean): void {
    this.#pauses = pause;
    this.#agent?.stop();
  }

  #take(event: EngineEvent): void {
    const { record, tell } = this.#parts;
    record.addEvent(event);
    if (event.type === "message" && event.parent === undefined) this.#answer = event.text;
    if (event.type === "result" && !event.failed && event.text.trim() !== "") this.#answer = event.text;
    if (event.type === "result" && this.#agent?.usage) record.addUsage(this.#agent.usage);
    tell({ type: "event", event });
    this.#parts.budget?.take(event, this.#live);
    if (event.type !== "permission") return;
    if (event.withdrawn) this.#settle(event.id, null);
    else this.#decide(event);
  }

  #decide(event: PermissionEvent): void {
    const { level, folder } = this.#parts;
    const allow = event.options.find(({ kind }) => kind === "allow_once");
    if (allow && isWithinLevel(level, event, folder)) this.#live.answer(event.id, allow.id);
    else {
      this.#waiting.add(event.id);
      this.#parts.budget?.wait(event.id);
      void this.#ask(event);
    }
  }

  /** Asks in the inbox and tells the caller, who may ask on a terminal: the first answer counts. */
  async #ask({ id: permission, tool, input, options }: PermissionEvent): Promise<void> {
    const { record, tell, entries, sleep } = this.#parts;
    const subject = callSubject(input) ?? "";
    const labels = options.map((option) => wordOf(option)).join(" or ");
    const id = await record.ask(`${tool} ${subject}\n\nThe agent waits for permission. Answer: ${labels}`);
    if (!this.#waiting.has(permission)) return;
    tell({ type: "permission", id, permission, tool, subject, options });
    while (this.#waiting.has(permission)) {
      await sleep(lookEveryMs);
      const option = optionOf(options, answerIn(await entries(), id));
      if (option && this.#waiting.has(permission)) this.answer(permission, option.id);
    }
  }

  #settle(permission: string, option: string | null): void {
    if (!this.#waiting.delete(permission)) return;
    this.#parts.budget?.goOn(permission);
    this.#parts.tell({ type: "answered", permission, option });
  }

  async #ended(end: AgentEnd): Promise<TalkNews> {
    const { record, budget } = this.#parts;
    const limit = budget?.reachedAt(end, `clew ai ${this.#engine} --resume ${record.id}`);
    const isFailed = end.outcome === "failed";
    const error = isFailed && !end.verdict.success ? end.verdict.error : undefined;
    record.end(error ?? limit?.message);
    await record.written();
    await record.note(this.#engineSession, end.usage?.cost_usd);
    return {
      type: "ended",
      session_id: record.id,
      status: isFailed ? "failed" : end.outcome === "interrupted" || this.#pauses || limit ? "paused" : "completed",
      engine_session: this.#engineSession?.session ?? null,
      answer: this.#answer,
      ...(error !== undefined && { error }),
      ...(end.usage && { usage: end.usage }),
      ...(end.rounds !== undefined && { rounds: end.rounds }),
      ...(limit && !isFailed && { limit }),
    };
  }
}

/** The words by which a person answers: the kind of the option, as people say it. */
const answers: Record<PermissionOption["kind"], string> = {
  allow_once: "allow",
  allow_always: "always",
  reject_once: "deny",
  reject_always: "never",
};

function wordOf({ kind }: PermissionOption): string {
  return answers[kind];
}

/** The option that an answer means: its word, its id or its label; undefined when it means none. */
function optionOf(options: readonly PermissionOption[], answer: string | undefined): PermissionOption | undefined {
  const said = answer?.trim().toLowerCase();
  if (said === undefined) return undefined;
  return options.find((option) =>
    [wordOf(option), option.id, option.label].some((word) => word.toLowerCase() === said),
  );
}

function answerIn(entries: readonly LogEntry[], questionId: string): string | undefined {
  return entries.flatMap((entry) => (entry.kind === "answer" && entry.id === questionId ? [entry.text] : [])).at(-1);
}

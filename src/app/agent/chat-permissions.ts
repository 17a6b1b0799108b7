import type { TalkNews } from "../../contract/api/agent.ts";
import type { PermissionEvent, PermissionOption } from "../../contract/engine.ts";
import { optionOf, wordOf, wordsFor } from "../../contract/permission-values.ts";
import { callSubject } from "../../text/tool-call.ts";
import type { AgentHandle } from "../engine/agents.ts";
import type { ChatRecord } from "./chat-record.ts";
import type { QuestionDesk } from "./question-desk.ts";

interface Parts {
  record: Pick<ChatRecord, "ask" | "answer">;
  desk: QuestionDesk;
  tell: (news: TalkNews) => void;
  sleep: (ms: number) => Promise<void>;
  /** How long a person may take; the agent is then stopped. */
  wait: PermissionWait | undefined;
  /** Called when the question cannot be written down. */
  onFault: (error: unknown) => void;
}

export interface PermissionWait {
  ms: number;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
}

/** What an agent asked for when it was stopped. */
export interface Unanswered {
  tool: string;
  subject: string;
}

interface Asked {
  options: PermissionOption[];
  /** The question in the inbox, once it is there. */
  question?: string;
  callOff: () => void;
}

/** How often the inbox is looked at for an answer. */
const lookEveryMs = 1_000;

/** The permissions that the agent of a talk asks for: its level answers, or a person, on the terminal or in the inbox. */
export class ChatPermissions {
  readonly #parts: Parts;
  /** Those that wait, by the engine's own id. */
  readonly #asked = new Map<string, Asked>();
  /** The request for which the agent was stopped, because nobody answered it in time. */
  unanswered: Unanswered | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Those that a person is asked in the inbox. */
  get questions(): string[] {
    return [...this.#asked.values()].flatMap(({ question }) => question ?? []);
  }

  isOpen(permission: string): boolean {
    return this.#asked.has(permission);
  }

  /** Answers by the policy or the level, or asks. Returns whether a person is asked. */
  take(event: PermissionEvent, agent: AgentHandle): boolean {
    const { id, options } = event;
    const allow =
      options.find(({ kind }) => kind === "allow_once") ?? options.find(({ kind }) => kind === "allow_always");
    if (event.within_level && allow) {
      agent.answer(id, allow.id);
      return false;
    }
    const reject = options.find(({ kind }) => kind === "reject_once" || kind === "reject_always");
    if (event.denied !== undefined && reject) {
      agent.answer(id, reject.id, event.denied);
      return false;
    }
    // One that is being stopped asks in vain: it asks again when it goes on.
    if (this.unanswered) return false;
    const { wait } = this.#parts;
    const callOff = wait?.later(wait.ms, () => this.#giveUp(event, agent)) ?? (() => undefined);
    this.#asked.set(id, { options, callOff });
    this.#ask(event, agent).catch((error: unknown) => this.#parts.onFault(error));
    return true;
  }

  /** An answer that a person gave at the terminal. */
  async answer(permission: string, optionId: string, agent: AgentHandle): Promise<void> {
    const { question, options } = this.#asked.get(permission) ?? { options: [], question: undefined };
    const option = options.find(({ id }) => id === optionId);
    agent.answer(permission, optionId);
    this.settle(permission, optionId);
    if (question !== undefined && option) await this.#close(question, wordOf(option.kind));
  }

  /** It is answered, or not asked for any more. */
  settle(permission: string, option: string | null): void {
    this.#asked.get(permission)?.callOff();
    if (this.#asked.delete(permission)) this.#parts.tell({ type: "answered", permission, option });
  }

  /** The agent has ended: what it still asked is asked no more. */
  async end(): Promise<void> {
    const { questions } = this;
    for (const { callOff } of this.#asked.values()) callOff();
    this.#asked.clear();
    const why = this.unanswered ? "nobody answered in time, and the agent was stopped" : "the agent has ended";
    for (const question of questions) await this.#close(question, `not answered: ${why}`);
  }

  /** Nobody refused anything: the questions leave the inbox when the agent has ended. */
  #giveUp({ tool, input }: PermissionEvent, agent: AgentHandle): void {
    this.unanswered ??= { tool, subject: callSubject(input) ?? "" };
    agent.stop();
  }

  async #close(question: string, answer: string | undefined): Promise<void> {
    this.#parts.desk.close(question);
    if (answer !== undefined) await this.#parts.record.answer(question, answer);
  }

  async #ask({ id: permission, tool, input, options }: PermissionEvent, agent: AgentHandle): Promise<void> {
    const { tell, desk, record, sleep } = this.#parts;
    const subject = callSubject(input) ?? "";
    const words = wordsFor({ options });
    const text = `${tool} ${subject}\n\nThe agent waits for permission. Answer: ${words.join(" or ")}`;
    const question = await record.ask(text);
    desk.open(question, words);
    const asked = this.#asked.get(permission);
    if (!asked) return this.#close(question, "not answered: it is asked no more");
    asked.question = question;
    tell({ type: "permission", id: question, permission, tool, subject, options });
    while (this.isOpen(permission) && !this.unanswered) {
      await sleep(lookEveryMs);
      const word = this.isOpen(permission) && !this.unanswered ? desk.answerTo(question) : undefined;
      const kind = word && optionOf(word, options);
      const option = options.find((each) => each.kind === kind);
      if (!option) continue;
      agent.answer(permission, option.id);
      this.settle(permission, option.id);
      desk.close(question);
    }
  }
}

import type { SessionAgent } from "../../contract/api/session-agent.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RedactValue } from "../../contract/redacted.ts";
import type { AgentHandles, OrderEnd, WaitingOrder } from "./agent-handles.ts";
import type { Chat } from "./chat.ts";

export interface HandleParts {
  handles: AgentHandles;
  redact: RedactValue;
  now: () => string;
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
  /** Hears what kept the agent from being steered; it works on. */
  warn: (message: string) => void;
}

type SteeredChat = Pick<Chat, "send" | "stop" | "kill" | "standing">;
type About = Pick<SessionAgent, "session" | "engine" | "takes_messages">;

/** How often orders are looked for. */
const lookEveryMs = 200;

/** Lets other processes see the agent that this one drives, and give it messages and its end. A fault of ours stops no agent. */
export class DrivenHandle {
  readonly #parts: HandleParts;
  readonly #chat: SteeredChat;
  readonly #about: About;
  #waiting: WaitingOrder[] = [];
  #callOff = (): void => undefined;
  #begun: Pick<SessionAgent, "id" | "started"> | undefined;
  #told = "";

  constructor(parts: HandleParts, chat: SteeredChat, about: About) {
    this.#parts = parts;
    this.#chat = chat;
    this.#about = about;
  }

  begin(id: string): void {
    this.#begun = { id, started: this.#parts.now() };
    this.#look();
  }

  end(): void {
    this.#callOff();
    if (!this.#begun) return;
    this.#faultless(() => this.#parts.handles.close(this.#about.session));
  }

  #look(): void {
    this.#faultless(() => {
      this.#tell();
      this.#obey();
      this.#callOff = this.#parts.later(lookEveryMs, () => this.#look());
    });
  }

  #tell(): void {
    const agent = this.#parts.redact<SessionAgent>({ ...this.#begun!, ...this.#about, ...this.#chat.standing });
    const text = JSON.stringify(agent);
    if (text === this.#told) return;
    this.#parts.handles.tell(this.#about.session, agent, this.#told === "");
    this.#told = text;
  }

  /** A message waits until the engine's session is there. */
  #obey(): void {
    const { handles } = this.#parts;
    const { session } = this.#about;
    this.#waiting.push(...handles.take(session));
    const isReady = this.#chat.standing.engine_session !== undefined;
    const [due, waiting] = [isReady ? this.#waiting : this.#waiting.filter(isStop), this.#waiting.filter(isMessage)];
    this.#waiting = isReady ? [] : waiting;
    for (const each of due) handles.settle(session, each.id, this.#give(each));
  }

  #give({ order }: WaitingOrder): OrderEnd {
    try {
      if (order.kind === "message") this.#chat.send(order.text);
      else if (order.kill) this.#chat.kill();
      else this.#chat.stop(true);
      return {};
    } catch (error) {
      if (error instanceof ClewError) return { refusal: error.message };
      throw error;
    }
  }

  #faultless(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#parts.warn(`its agent cannot be seen or steered from elsewhere: ${(error as Error).message}`);
    }
  }
}

function isStop({ order }: WaitingOrder): boolean {
  return order.kind === "stop";
}

function isMessage({ order }: WaitingOrder): boolean {
  return order.kind === "message";
}

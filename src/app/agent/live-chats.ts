import { ClewError } from "../../contract/errors.ts";
import type { Chat } from "./chat.ts";

/** The live agents of this process, by the name that their stream told. */
export class LiveChats {
  readonly #chats = new Map<string, Chat>();

  add(agent: string, chat: Chat): void {
    this.#chats.set(agent, chat);
  }

  delete(agent: string): void {
    this.#chats.delete(agent);
  }

  /** Undefined when it has ended. */
  find(agent: string): Chat | undefined {
    return this.#chats.get(agent);
  }

  /** Throws a ClewError when there is none. */
  get(agent: string): Chat {
    const chat = this.#chats.get(agent);
    if (chat) return chat;
    throw new ClewError(
      "not_possible_now",
      `no agent ${agent} is at work here`,
      "it has ended, or another process has it",
    );
  }
}

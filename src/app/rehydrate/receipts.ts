import { wordsAsReceipt } from "./rehydrations.ts";
import type { EngineEvent } from "../../contract/engine.ts";

/**
 * Takes the receipts of an agent that Clew started: what it calls or says first after it was told where it stands, by its prompt or
 * by a hook after a compaction.
 */
export class Receipts {
  #isOpen: boolean;
  readonly #receive: (by: string) => Promise<void>;
  #receiving: Promise<void> = Promise.resolve();

  /** `hasRehydration`: its prompt tells the agent where it stands. */
  constructor(hasRehydration: boolean, receive: (by: string) => Promise<void>) {
    this.#isOpen = hasRehydration;
    this.#receive = receive;
  }

  take(event: EngineEvent): void {
    if (event.type === "compacted") this.#isOpen = true;
    if (!this.#isOpen || (event.type !== "tool_call" && event.type !== "message")) return;
    this.#isOpen = false;
    const by = event.type === "tool_call" ? event.name : wordsAsReceipt;
    const before = this.#receiving;
    this.#receiving = before.then(() => this.#receive(by));
    // Told by `settled`.
    this.#receiving.catch(() => undefined);
  }

  /** Resolves when all are on disk; rejects with what kept one from it. */
  settled(): Promise<void> {
    return this.#receiving;
  }
}

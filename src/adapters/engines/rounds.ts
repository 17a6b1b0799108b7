import type { EngineEvent } from "../../contract/engine.ts";

/** Events that show that an engine is at work, even after a result. */
const workTypes = new Set<EngineEvent["type"]>(["delta", "message", "thinking", "tool_call", "permission"]);

/** Whether an engine is at work, and which result is its last. */
export class Rounds {
  #isWorking = true;
  /** Messages that the engine takes up one by one, each when the round before has ended. */
  #waitingMessages = 0;
  /** A message that waited is about to get its round. */
  #hasMore = false;

  get isWorking(): boolean {
    return this.#isWorking;
  }

  /** A further message was taken. `queues`: it gets a round of its own. */
  sent(queues: boolean): void {
    if (this.#isWorking && queues) this.#waitingMessages += 1;
    this.#isWorking = true;
  }

  /** Returns whether this is the result that no other is expected to follow. */
  take(event: EngineEvent): boolean {
    if (workTypes.has(event.type)) this.#isWorking = true;
    if (event.type !== "result") return false;
    const wasAwaited = this.#isWorking || this.#hasMore;
    this.#isWorking = false;
    this.#hasMore = this.#waitingMessages > 0;
    if (this.#hasMore) this.#waitingMessages -= 1;
    return wasAwaited && !this.#hasMore;
  }
}

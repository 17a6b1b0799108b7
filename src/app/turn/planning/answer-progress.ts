import type { EngineEvent } from "../../../contract/engine.ts";

/** How much of an answer has come in, for who waits: by deltas where the engine tells them, else by messages. */
export class AnswerProgress {
  #ofDeltas = 0;
  #ofMessages = 0;

  /** False for what is no part of an answer. */
  add(event: EngineEvent): boolean {
    const isDelta = event.type === "delta" && event.of === "message";
    const isMessage = event.type === "message" && event.parent === undefined;
    if (isDelta) this.#ofDeltas += event.text.length;
    if (isMessage) this.#ofMessages += event.text.length;
    return isDelta || isMessage;
  }

  get chars(): number {
    return Math.max(this.#ofDeltas, this.#ofMessages);
  }
}

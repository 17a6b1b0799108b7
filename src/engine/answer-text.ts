import type { EngineEvent, ResultEvent } from "../contract/engine.ts";

/** What an agent answered, to the last character that it told. */
export interface Answer {
  /** Of one that failed, words of the engine's own may be among it. */
  text: string;
  /**
   * `complete`: the model came to its end. `cut_off`: it reached its limit of tokens. `refused`: it, or its safeguards, would not go on.
   * `failed`: anything else went wrong, also that it said nothing. `open`: no result has come. What an engine does not tell counts as
   * complete: see `EngineTraits.untoldStops`.
   */
  ended: "complete" | "cut_off" | "refused" | "failed" | "open";
  /** It was cut off at the limit, and the engine had its model go on: the text is all parts, and the model was told more than the prompt. */
  isContinued: boolean;
  /** Why it is not complete. */
  problem?: string;
}

/**
 * Puts an answer together from the events of one agent: all blocks of its last messages, one after the other, each once. What it said before a
 * tool call is no part of it, and neither is what subagents, deltas or the engine itself say.
 */
export class AnswerText {
  #parts: string[] = [];
  #isContinued = false;
  #result: ResultEvent | undefined;

  add(event: EngineEvent): void {
    if ("parent" in event && event.parent !== undefined) return;
    switch (event.type) {
      case "message":
        if (!event.by_engine) this.#parts.push(event.text);
        break;
      case "tool_call":
        this.#begin();
        break;
      case "error":
        if (event.answer === "discarded") this.#begin();
        if (event.answer === "continued") this.#isContinued = true;
        break;
      case "result":
        this.#result = event;
    }
  }

  get answer(): Answer {
    const text = this.#parts.join("");
    return { text, ...endOf(this.#result, text), isContinued: this.#isContinued };
  }

  #begin(): void {
    this.#parts = [];
    this.#isContinued = false;
  }
}

const words = { max_tokens: "cut_off", refusal: "refused" } as const;

function endOf(result: ResultEvent | undefined, text: string): Pick<Answer, "ended" | "problem"> {
  if (!result) return { ended: "open", problem: "the agent ended before it had answered" };
  if (result.stop) return { ended: words[result.stop], problem: result.text };
  if (result.failed) return { ended: "failed", problem: result.text };
  return text === "" ? { ended: "failed", problem: "the agent said nothing" } : { ended: "complete" };
}

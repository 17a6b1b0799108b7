import type { EngineEvent } from "../../contract/engine.ts";

/** Engines put the server's name before the tool's, each in its own way. */
const isResultTool = (name: string): boolean => /(?:^|[^a-z])submit_result$/.test(name);

/** Watches the calls of `submit_result`, which Clew answers at once: a server that is dead, or silent, keeps an agent waiting. */
export class ResultCalls {
  readonly #waitMs: number;
  readonly #onUnanswered: () => void;
  readonly #open = new Map<string, NodeJS.Timeout>();
  #failure: string | undefined;

  /** `onUnanswered` is called when a call got no answer in that time. */
  constructor(waitMs: number, onUnanswered: () => void) {
    this.#waitMs = waitMs;
    this.#onUnanswered = onUnanswered;
  }

  /** What the last call was answered, if it failed. */
  get failure(): string | undefined {
    return this.#failure;
  }

  take(event: EngineEvent): void {
    if (event.type === "tool_call" && isResultTool(event.name)) {
      clearTimeout(this.#open.get(event.id));
      this.#open.set(event.id, setTimeout(this.#onUnanswered, this.#waitMs).unref());
    }
    if (event.type !== "tool_result" || !this.#open.has(event.id)) return;
    clearTimeout(this.#open.get(event.id));
    this.#open.delete(event.id);
    this.#failure = event.failed ? event.output : undefined;
  }

  /** Waits for no answer any more. */
  end(): void {
    for (const timer of this.#open.values()) clearTimeout(timer);
    this.#open.clear();
  }
}

import type { UsageEvent } from "../../contract/engine.ts";
import { addUsage, type Usage } from "../../contract/run.ts";
import { difference } from "../usage-count.ts";
import { fieldsOf, numberOf, textOf, type Fields } from "../read-fields.ts";

/** Adds up what the threads of one server used. Codex counts each thread from its very first turn, also over a resume. */
export class ThreadsUsage {
  readonly #turns = new Map<string, string>();
  readonly #earlier = new Map<string, Usage>();
  readonly #used = new Map<string, Usage>();

  /** A turn of this server has begun. */
  begin(thread: string, turn: string): void {
    this.#turns.set(thread, turn);
  }

  /** Reads `thread/tokenUsage/updated`. */
  update(params: Fields): UsageEvent[] {
    const thread = textOf(params.threadId);
    const { total, last } = fieldsOf(params.tokenUsage);
    if (thread === undefined || total === undefined) return [];
    const whole = usageIn(fieldsOf(total));
    // After a resume the server tells what the thread used before, under the turn that was its last.
    if (this.#turns.get(thread) !== textOf(params.turnId)) {
      this.#earlier.set(thread, whole);
      return [];
    }
    if (!this.#earlier.has(thread)) this.#earlier.set(thread, difference(whole, usageIn(fieldsOf(last))));
    this.#used.set(thread, difference(whole, this.#earlier.get(thread)!));
    return [{ type: "usage", of: "session", ...[...this.#used.values()].reduce(addUsage) }];
  }
}

/** What came from a cache is among `inputTokens`, and what was thought among `outputTokens`. */
function usageIn({ inputTokens, cachedInputTokens, outputTokens }: Fields): Usage {
  const cached = numberOf(cachedInputTokens);
  return {
    input_tokens: numberOf(inputTokens),
    ...(cached > 0 && { cached_input_tokens: cached }),
    output_tokens: numberOf(outputTokens),
  };
}

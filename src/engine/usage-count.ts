import type { EngineEvent, UsageEvent } from "../contract/engine.ts";
import { addUsage, type Usage } from "../contract/run.ts";
import type { PriceOf } from "./prices.ts";

/**
 * Counts what one engine session used: tokens, rounds and the cost. A round is one message of a model; where an engine
 * tells totals only, each new total is one; where it tells nothing, each result.
 */
export class UsageCount {
  /** What is counted for good, by request: a price may depend on how much one request holds. */
  #requests: Usage[] = [];
  /** Messages whose figures may still change. */
  readonly #messages = new Map<string, Usage>();
  /** The last total that the engine told; its cost takes in all of `#requests`. */
  #total: Usage | undefined;
  #rounds = 0;
  #roundsAtTotal = 0;
  #roundsAtResult = 0;

  add(event: EngineEvent): void {
    if (event.type === "usage") this.#add(event);
    if (event.type === "result") {
      if (this.#rounds === this.#roundsAtResult) this.#rounds += 1;
      this.#roundsAtResult = this.#rounds;
    }
  }

  get rounds(): number {
    return this.#rounds;
  }

  /** Undefined while the engine told nothing. What the engine says of the cost counts; else the prices, if they are given. */
  usage(priceOf?: PriceOf): Usage | undefined {
    const later = [...this.#requests, ...this.#messages.values()];
    if (!this.#total)
      return later.length === 0 ? undefined : later.map((each) => priced(each, priceOf)).reduce(addUsage);
    const { cost_usd, ...total } = this.#total;
    const messages = [...this.#messages.values()];
    if (cost_usd !== undefined)
      return messages.map((each) => priced(each, priceOf)).reduce(addUsage, { ...total, cost_usd });
    const tokens = messages.map(withoutCost).reduce(addUsage, total);
    const cost =
      later.length === 0 ? undefined : later.map((each) => priced(each, priceOf).cost_usd).reduce(sumIfKnown);
    return { ...tokens, ...(cost !== undefined && { cost_usd: cost }) };
  }

  #add({ of, message_id, type: _, parent: _parent, model: _model, ...usage }: UsageEvent): void {
    if (of === "session") this.#addTotal(usage);
    else if (message_id === undefined) {
      this.#rounds += 1;
      this.#messages.set(`round ${this.#rounds}`, usage);
    } else {
      if (!this.#messages.has(message_id)) this.#rounds += 1;
      this.#messages.set(message_id, usage);
    }
  }

  /**
   * Takes a new total of the session. Tokens that the total has and no message accounts for count as one more request: such an
   * engine reports totals only, or does not report its subagents.
   */
  #addTotal(total: Usage): void {
    const before = [...this.#requests, ...this.#messages.values()];
    const known = before.map(withoutCost).reduce(addUsage, noUsage);
    const more = difference(total, known);
    this.#requests = more.input_tokens + more.output_tokens > 0 ? [...before, more] : before;
    this.#messages.clear();
    this.#total = total;
    if (this.#rounds === this.#roundsAtTotal) this.#rounds += 1;
    this.#roundsAtTotal = this.#rounds;
  }
}

const noUsage: Usage = { input_tokens: 0, output_tokens: 0 };

function priced(usage: Usage, priceOf: PriceOf | undefined): Usage {
  if (usage.cost_usd !== undefined) return usage;
  const cost = priceOf?.(usage);
  return cost === undefined ? usage : { ...usage, cost_usd: cost };
}

function withoutCost({ cost_usd: _, ...usage }: Usage): Usage {
  return usage;
}

function sumIfKnown(sum: number | undefined, cost: number | undefined): number | undefined {
  return sum === undefined || cost === undefined ? undefined : sum + cost;
}

/** What a whole has beyond a part; never less than nothing. */
export function difference(whole: Usage, part: Usage): Usage {
  const beyond = (one = 0, other = 0): number => Math.max(0, one - other);
  return {
    input_tokens: beyond(whole.input_tokens, part.input_tokens),
    ...(whole.cache_write_tokens !== undefined && {
      cache_write_tokens: beyond(whole.cache_write_tokens, part.cache_write_tokens),
    }),
    ...(whole.cached_input_tokens !== undefined && {
      cached_input_tokens: beyond(whole.cached_input_tokens, part.cached_input_tokens),
    }),
    output_tokens: beyond(whole.output_tokens, part.output_tokens),
  };
}

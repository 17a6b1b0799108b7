import type { Usage } from "../contract/run.ts";

/** What one request of a model costs in dollars; undefined when that is not known. Prices are never guessed. */
export type PriceOf = (usage: Usage) => number | undefined;

/** Prices of models, by the names that engines call them; undefined for a model that is not known. */
export type PriceTable = (model: string) => PriceOf | undefined;

/** Up to here a price may be one price per token; many services ask more for longer requests. */
const usualTokens = 100_000;

/**
 * The same prices for many requests: a model is looked up once, and where its price per token is the same for all requests of usual
 * length, it is multiplied here.
 */
export function quickPrices(table: PriceTable): PriceTable {
  const known = new Map<string, PriceOf | undefined>();
  return (model) => {
    if (!known.has(model)) known.set(model, quickPrice(table(model)));
    return known.get(model);
  };
}

function quickPrice(priceOf: PriceOf | undefined): PriceOf | undefined {
  if (!priceOf) return undefined;
  const perToken = (tokens: number): number[] =>
    [
      { input_tokens: tokens, output_tokens: 0 },
      { input_tokens: tokens, cached_input_tokens: tokens, output_tokens: 0 },
      { input_tokens: 0, output_tokens: tokens },
      { input_tokens: tokens, cache_write_tokens: tokens, output_tokens: 0 },
    ].map((usage) => (priceOf(usage) ?? NaN) / tokens);
  const prices = perToken(1000) as [number, number, number, number];
  const [input, cached, output, written] = prices;
  const isSame = [1, usualTokens / 4, usualTokens].every((tokens) =>
    perToken(tokens).every((price, at) => Math.abs(price - prices[at]!) <= price * 1e-9),
  );
  if (!isSame) return priceOf;
  return (usage) => {
    const { input_tokens, cached_input_tokens = 0, cache_write_tokens = 0, output_tokens } = usage;
    if (input_tokens > usualTokens || output_tokens > usualTokens) return priceOf(usage);
    const fromCache = Math.min(cached_input_tokens, input_tokens);
    const toCache = Math.min(cache_write_tokens, input_tokens - fromCache);
    const plain = input_tokens - fromCache - toCache;
    return plain * input + fromCache * cached + toCache * written + output_tokens * output;
  };
}

import type { PriceTable } from "../../engine/prices.ts";

/**
 * The prices of models, as they were when this version of Clew was made; nothing is fetched. Loaded when it is called: the
 * table is larger than the rest of the program. Never rejects.
 */
export async function loadPriceTable(): Promise<PriceTable> {
  const { calcPrice } = await import("@pydantic/genai-prices");
  return (model) => {
    const priceOf: ReturnType<PriceTable> = ({
      input_tokens,
      cached_input_tokens = 0,
      cache_write_tokens: written = 0,
      output_tokens,
    }) => {
      // Some engines count more from the cache than they read in all; the table refuses that.
      const cache_read_tokens = Math.min(cached_input_tokens, input_tokens);
      const cache_write_tokens = Math.min(written, input_tokens - cache_read_tokens);
      return calcPrice({ input_tokens, cache_read_tokens, cache_write_tokens, output_tokens }, model)?.total_price;
    };
    return priceOf({ input_tokens: 1, output_tokens: 1 }) === undefined ? undefined : priceOf;
  };
}

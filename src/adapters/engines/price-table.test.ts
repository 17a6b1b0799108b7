import { expect, test } from "vitest";
import { quickPrices } from "../../engine/prices.ts";
import { loadPriceTable } from "./price-table.ts";

const priceOf = (await loadPriceTable())("claude-opus-4-8");
const million = 1_000_000;

test("W11 G15 prices of known models: what was read, what was written, and cached tokens at a price of their own", async () => {
  const table = await loadPriceTable();
  const read = { input_tokens: million, output_tokens: 0 };
  expect(priceOf?.(read)).toBeCloseTo(5);
  expect(priceOf?.({ ...read, cached_input_tokens: million })).toBeCloseTo(0.5);
  expect(priceOf?.({ ...read, cached_input_tokens: million / 2, output_tokens: million })).toBeCloseTo(27.75);
  expect(table("gpt-5-codex")?.({ ...read, output_tokens: million })).toBeCloseTo(11.25);
  expect(table("claude-sonnet-4-5-20250929")?.({ input_tokens: 1000, output_tokens: 100 })).toBeCloseTo(0.0045);
});

test("W11 what is written to a cache has a price of its own, also when many requests are priced", async () => {
  const read = { input_tokens: million, output_tokens: 0 };
  expect(priceOf?.({ ...read, cache_write_tokens: million })).toBeCloseTo(6.25);
  const mixed = { input_tokens: 1000, cached_input_tokens: 400, cache_write_tokens: 500, output_tokens: 10 };
  const quick = quickPrices(await loadPriceTable())("claude-opus-4-8");
  expect(priceOf?.(mixed)).toBeCloseTo(0.000_005 * 100 + 0.000_000_5 * 400 + 0.000_006_25 * 500 + 0.000_025 * 10, 9);
  expect(quick?.(mixed)).toBeCloseTo(priceOf!(mixed)!, 12);
  // No more than was read at all.
  expect(priceOf?.({ ...mixed, cache_write_tokens: 5000 })).toBeCloseTo(
    priceOf!({ ...mixed, cache_write_tokens: 600 })!,
  );
});

test("W11 a price that rises with the length of one request rises with that one alone", async () => {
  const sonnet = (await loadPriceTable())("claude-sonnet-4-5");
  const short = sonnet?.({ input_tokens: 100_000, output_tokens: 0 }) ?? 0;
  const long = sonnet?.({ input_tokens: 300_000, output_tokens: 0 }) ?? 0;
  expect(short).toBeCloseTo(0.3);
  expect(long).toBeGreaterThan(3 * short);
});

test("W11 G15 the price of an unknown model stays unknown", async () => {
  const table = await loadPriceTable();
  for (const model of ["scripted", "my-own-model", "claude", "", "qwen3-coder-plus", "__proto__"]) {
    expect(table(model)).toBeUndefined();
  }
});

test("W11 more cached tokens than were read do not make a price that is less than nothing", () => {
  expect(priceOf?.({ input_tokens: 10, cached_input_tokens: 20, output_tokens: 0 })).toBeGreaterThan(0);
});

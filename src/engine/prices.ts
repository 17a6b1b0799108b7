import type { Usage } from "../contract/run.ts";

/** What one request of a model costs in dollars; undefined when that is not known. Prices are never guessed. */
export type PriceOf = (usage: Usage) => number | undefined;

/** Prices of models, by the names that engines call them; undefined for a model that is not known. */
export type PriceTable = (model: string) => PriceOf | undefined;

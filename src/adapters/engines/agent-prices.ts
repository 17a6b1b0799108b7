import type { Usage } from "../../contract/run.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { PriceOf, PriceTable } from "../../engine/prices.ts";
import type { EngineAgentParts } from "./agent-parts.ts";
import { loadPriceTable } from "./price-table.ts";

/** The prices of the model that an agent works with. */
export class AgentPrices {
  readonly #load: () => Promise<PriceTable>;
  #table: PriceTable | undefined;
  #loading: Promise<void> | undefined;
  #model: string | undefined;

  /** `model` is what was asked for; the engine may tell another. */
  constructor(load: () => Promise<PriceTable>, model: string | undefined) {
    this.#load = load;
    this.#model = model;
  }

  take(event: EngineEvent): void {
    if (event.type === "init") this.#model = event.model ?? this.#model;
  }

  /** Undefined while they are not loaded, and when the model is not known. */
  get priceOf(): PriceOf | undefined {
    return this.#model === undefined ? undefined : this.#table?.(this.#model);
  }

  load(): Promise<void> {
    this.#loading ??= this.#load().then((table) => void (this.#table = table));
    return this.#loading;
  }
}

/** Whether tokens were used whose cost the engine did not tell. */
export function lacksCost(usage: Usage | undefined): boolean {
  return usage !== undefined && usage.cost_usd === undefined && usage.input_tokens + usage.output_tokens > 0;
}

/** Whether it can be told what a model of an engine costs: by the engine, or by a table of prices. */
export async function isCostKnown(
  { engines, loadPrices = loadPriceTable }: Pick<EngineAgentParts, "engines" | "loadPrices">,
  engineName: string,
  model: string | undefined,
): Promise<boolean> {
  const { usage = false, cost = false } = engines.find(({ name }) => name === engineName)?.abilities ?? {};
  if (usage === false || cost) return cost;
  return model !== undefined && (await loadPrices())(model) !== undefined;
}

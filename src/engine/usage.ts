import type { Usage } from "../contract/run.ts";

/** A cost is known when any part of it is. */
export function added(a: Usage, b: Usage): Usage {
  const costs = [a.cost_usd, b.cost_usd].filter((cost) => cost !== undefined);
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    ...(costs.length > 0 && { cost_usd: costs.reduce((sum, cost) => sum + cost) }),
  };
}

import { addUsage, type Usage } from "../../contract/run.ts";
import { fieldsOf, numberOf, type Fields } from "../read-fields.ts";

/**
 * The `usage` of a message or a result. Claude counts cached tokens apart from the others; Qwen, whose lines look the
 * same, counts them among the others, and gives itself away by a total.
 */
export function usageIn(usage: Fields): Usage {
  const input = numberOf(usage.input_tokens);
  const output = numberOf(usage.output_tokens);
  const read = numberOf(usage.cache_read_input_tokens);
  const written = numberOf(usage.cache_creation_input_tokens);
  const cached = read + written;
  return {
    input_tokens: isQwens(usage) ? input : input + cached,
    ...(read > 0 && { cached_input_tokens: read }),
    ...(written > 0 && { cache_write_tokens: written }),
    output_tokens: output,
  };
}

/** Whether Qwen counted it: only Qwen tells a total. */
export function isQwens(usage: Fields): boolean {
  return typeof usage.total_tokens === "number";
}

/** What was used, by model, with its cost; undefined when the line does not tell. Takes in compaction and subagents. */
export function modelUsageIn(byModel: Fields): Usage | undefined {
  const models = Object.values(byModel).map(fieldsOf);
  if (models.length === 0) return undefined;
  return models.map(usageOfModel).reduce(addUsage);
}

function usageOfModel(model: Fields): Usage {
  const read = numberOf(model.cacheReadInputTokens);
  const cached = read + numberOf(model.cacheCreationInputTokens);
  return {
    input_tokens: numberOf(model.inputTokens) + cached,
    ...(read > 0 && { cached_input_tokens: read }),
    output_tokens: numberOf(model.outputTokens),
    ...(typeof model.costUSD === "number" && { cost_usd: numberOf(model.costUSD) }),
  };
}

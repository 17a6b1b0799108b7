import type { ResultEvent } from "../../contract/engine.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";

/** How a round ended, and what the agent said last. */
export function resultEvent(fields: Fields): ResultEvent {
  const errors = listOf(fields.errors).filter((error) => typeof error === "string");
  const words = [fields.result, errors.join("; "), fieldsOf(fields.error).message, fields.subtype].map(textOf);
  const structured = fields.structured_output;
  const denied = listOf(fields.permission_denials).map((denial) => textOf(fieldsOf(denial).tool_name) ?? "unknown");
  return {
    type: "result",
    // A missing result text is no failure: `is_error` alone tells.
    failed: fields.is_error === true,
    text: (fields.is_error === true ? words.find(Boolean) : textOf(fields.result)) ?? "",
    ...(structured !== undefined && structured !== null && { structured }),
    denied: [...new Set(denied)],
    ...(fields.subtype === "error_max_turns" && { out_of_rounds: true as const }),
    ...stopOf(fields),
  };
}

function stopOf({ api_error, stop_reason }: Fields): Pick<ResultEvent, "stop"> {
  if (api_error === "max_output_tokens" || stop_reason === "max_tokens") return { stop: "max_tokens" };
  return stop_reason === "refusal" ? { stop: "refusal" } : {};
}

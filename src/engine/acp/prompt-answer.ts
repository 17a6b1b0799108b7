import { answerStops, type AnswerStop, type UsageEvent } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import { fieldsOf, numberOf, objectIn, textOf, type Fields } from "../read-fields.ts";

/** What the answer to a prompt tells of the tokens that its round used; nothing where it tells nothing. */
export function usageIn(answer: Fields): UsageEvent[] {
  const counts = fieldsOf(answer.usage);
  const quota = fieldsOf(fieldsOf(fieldsOf(answer._meta).quota).token_count);
  const input = numberOf(counts.inputTokens) || numberOf(quota.input_tokens);
  const output = numberOf(counts.outputTokens) || numberOf(quota.output_tokens);
  // Some count cached tokens apart from the others; the total tells which.
  const cached = numberOf(counts.cachedReadTokens) + numberOf(counts.cachedWriteTokens);
  const isApart = numberOf(counts.totalTokens) > input + output;
  const inputTokens = isApart ? input + cached : input;
  if (inputTokens + output === 0) return [];
  const fromCache = numberOf(counts.cachedReadTokens);
  return [
    {
      type: "usage",
      of: "message",
      input_tokens: inputTokens,
      ...(fromCache > 0 && { cached_input_tokens: fromCache }),
      output_tokens: output,
    },
  ];
}

const stopReasons: Record<string, string> = {
  cancelled: "it was interrupted",
  refusal: "the model refused to go on",
  max_tokens: "the model's answer became too long: it reached its limit of tokens",
  max_turn_requests: "it reached its limit of requests to the model in one round",
};

/** Why a round did not come to its end; undefined when it did. */
export function stopProblem(answer: Fields): string | undefined {
  const reason = textOf(answer.stopReason);
  if (reason === "end_turn") return undefined;
  return reason === undefined ? "it ended its round without saying why" : (stopReasons[reason] ?? reason);
}

/** Why its model ended early, where the agent tells. */
export function stopIn({ stopReason }: Fields): AnswerStop | undefined {
  return answerStops.find((stop) => stop === stopReason);
}

/** An error of JSON-RPC in words. */
export function errorText(error: Json | undefined): string {
  const { code, message, data } = fieldsOf(error);
  const details = fieldsOf(data);
  const said = unwrapped(textOf(message) ?? "an error without a message");
  const more = [data, details.details, details.message].map(textOf).find(Boolean);
  const text = more === undefined || said.includes(more) ? said : `${said}: ${unwrapped(more)}`;
  return code === authRequired ? `it is not logged in (${text})` : text;
}

const authRequired = -32_000;

/** Gemini's messages are what its API answered, as JSON. */
function unwrapped(message: string): string {
  const { error } = objectIn(message) ?? {};
  const { code, status, message: inner } = fieldsOf(error);
  const text = textOf(inner);
  if (text === undefined) return message;
  const label = [numberOf(code) || undefined, textOf(status)].filter(Boolean).join(" ");
  return label === "" ? text : `${label}: ${text}`;
}

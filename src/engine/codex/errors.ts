import type { EngineEvent, ResultEvent } from "../../contract/engine.ts";
import { fieldsOf, textOf, type Fields } from "../read-fields.ts";

/** Reads the notification `error`. One that ends the turn is told by the turn's end as well. */
export function errorEvents({ error, willRetry, turnId }: Fields): EngineEvent[] {
  if (willRetry !== true && textOf(turnId) !== undefined) return [];
  const message = errorText(fieldsOf(error));
  if (message === undefined) return [];
  // It asks its model anew: its result is what comes last.
  return [{ type: "error", message, ...(willRetry === true && { answer: "discarded" as const }) }];
}

export function messageEvents(message: string | undefined): EngineEvent[] {
  return message === undefined ? [] : [{ type: "error", message }];
}

export function failureIn({ status, error }: Fields): string {
  return errorText(fieldsOf(error)) ?? (status === "interrupted" ? "it was interrupted" : "the turn failed");
}

/** Why the model ended early, by the words of a turn's failure. */
export function stopIn(failure: string): Pick<ResultEvent, "stop"> {
  if (failure.includes("reason: max_output_tokens")) return { stop: "max_tokens" };
  return failure.includes("reason: content_filter") ? { stop: "refusal" } : {};
}

/** While it tries again, the reason stands in the details. */
function errorText({ message, additionalDetails }: Fields): string | undefined {
  const words = [message, additionalDetails].flatMap((part) => textOf(part) ?? []);
  return words.length === 0 ? undefined : words.join(": ");
}

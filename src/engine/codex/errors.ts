import type { EngineEvent } from "../../contract/engine.ts";
import { fieldsOf, textOf, type Fields } from "../read-fields.ts";

/** Reads the notification `error`. One that ends the turn is told by the turn's end as well. */
export function errorEvents({ error, willRetry, turnId }: Fields): EngineEvent[] {
  if (willRetry !== true && textOf(turnId) !== undefined) return [];
  return messageEvents(errorText(fieldsOf(error)));
}

export function messageEvents(message: string | undefined): EngineEvent[] {
  return message === undefined ? [] : [{ type: "error", message }];
}

/** Why a turn ended without success, and what a person can do. */
export function failureIn({ status, error }: Fields): string {
  const fields = fieldsOf(error);
  const reason = errorText(fields) ?? (status === "interrupted" ? "it was interrupted" : "the turn failed");
  const hint = hintOf(fields);
  return hint === undefined ? reason : `${reason} (${hint})`;
}

/** While it tries again, the reason stands in the details. */
function errorText({ message, additionalDetails }: Fields): string | undefined {
  const words = [message, additionalDetails].flatMap((part) => textOf(part) ?? []);
  return words.length === 0 ? undefined : words.join(": ");
}

/** The kind of error is a word, or an object with that word as its only key and the status of the model's API. */
function hintOf({ codexErrorInfo }: Fields): string | undefined {
  const [[kind, about] = [textOf(codexErrorInfo), undefined]] = Object.entries(fieldsOf(codexErrorInfo));
  const { httpStatusCode: status } = fieldsOf(about);
  if (kind === "unauthorized" || status === 401) return "log in with codex login, or check the key of its provider";
  if (kind === "usageLimitExceeded") return "the limit of its account is reached: go on later";
  return kind === "rateLimitExceeded" || status === 429 ? "too many requests: go on later" : undefined;
}

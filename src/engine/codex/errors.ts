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

export function failureIn({ status, error }: Fields): string {
  return errorText(fieldsOf(error)) ?? (status === "interrupted" ? "it was interrupted" : "the turn failed");
}

/** While it tries again, the reason stands in the details. */
function errorText({ message, additionalDetails }: Fields): string | undefined {
  const words = [message, additionalDetails].flatMap((part) => textOf(part) ?? []);
  return words.length === 0 ? undefined : words.join(": ");
}

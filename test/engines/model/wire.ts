import type { Answer, SseEvent } from "./answer.ts";
import type { Conversation } from "./script.ts";

/** One way in which engines speak with a model. */
export interface Wire {
  readonly name: "messages" | "responses" | "chat" | "gemini";
  read(body: Json): Conversation;
  /** The answer as a stream of events. */
  events(answer: Answer, model: string): SseEvent[];
  /** The answer in one piece. */
  whole(answer: Answer, model: string): unknown;
  error(error: { status: number; type: string; message: string }): unknown;
}

export type Json = Record<string, unknown>;

export function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Counts answers: items of the model that follow each other are one. The news is what comes after the last of them. */
export function splitAnswers(
  items: readonly Json[],
  isModels: (item: Json) => boolean,
): { answers: number; news: string } {
  const answers = items.filter((item, place) => isModels(item) && !(place > 0 && isModels(items[place - 1]!))).length;
  const last = items.findLastIndex(isModels);
  return {
    answers,
    news: items
      .slice(last + 1)
      .map(allText)
      .join("\n"),
  };
}

/** All texts inside, one per line, so that a search need not know how JSON escapes. */
function allText(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  return Object.values(value).map(allText).join("\n");
}

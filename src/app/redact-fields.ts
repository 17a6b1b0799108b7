import type { Redact } from "./ports.ts";

/** Fields that are one word: a mark in them must be one too. */
const words = new Set(["name", "agent", "channel", "model", "session", "id", "priority"]);
/** Fields that can only hold one of a few values. */
const fixed = new Set(["kind", "mode", "status", "full"]);

/** Every text in an entry goes through the redactor; lone surrogates, which no file can hold, are replaced. */
export function redactFields<T>(value: T, redact: Redact, key = ""): T {
  if (typeof value === "string") {
    if (fixed.has(key)) return value;
    const text = redact(value.toWellFormed());
    return (words.has(key) ? asWord(text) : text) as T;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => redactFields(item, redact, key)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redactFields(item as unknown, redact, name)]),
  ) as T;
}

/** `[redacted:env NAME]` as a word: `redacted:env-NAME`. */
function asWord(text: string): string {
  return text.replace(/\[(redacted:[^\]]*)\]/g, (_, mark: string) => mark.replace(/\s+/g, "-"));
}

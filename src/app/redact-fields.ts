import type { Redact } from "./ports.ts";
import { visibleInFile } from "../contract/controls.ts";

/** Fields that are one word: a mark in them must be one too. */
const words = new Set(["name", "agent", "channel", "model", "session", "id", "priority"]);
/** Fields that can only hold one of a few values. */
const fixed = new Set(["kind", "mode", "status", "full"]);

/**
 * Every text in an entry goes through the redactor; lone surrogates, which no file can hold, are replaced, and control
 * characters become visible: whoever prints session.md must not have their terminal changed.
 */
export function redactFields<T>(value: T, redact: Redact, key = ""): T {
  if (typeof value === "string") {
    if (fixed.has(key)) return value;
    const text = visibleInFile(redact(value.toWellFormed()));
    return (words.has(key) ? asWord(text) : text) as T;
  }
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => redactFields(item, redact, key));
    return (items.every((item, at) => item === value[at]) ? value : items) as T;
  }
  if (typeof value !== "object" || value === null) return value;
  // Nearly nothing that is logged holds a secret, so nearly nothing has to be copied.
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(value)) {
    const item = (value as Record<string, unknown>)[name];
    const redacted = redactFields(item, redact, name);
    if (redacted !== item) copy = { ...(copy ?? value), [name]: redacted };
  }
  return (copy ?? value) as T;
}

/** `[redacted:env NAME]` as a word: `redacted:env-NAME`. */
function asWord(text: string): string {
  return text.replace(/\[(redacted:[^\][]*)\]/g, (_, mark: string) => mark.replace(/\s+/g, "-"));
}

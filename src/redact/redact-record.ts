import type { Redact, Redacted } from "../contract/redacted.ts";
import { visibleInFile } from "../text/controls.ts";
import { redactValue } from "./redact-value.ts";

/** Fields that are one word: a mark in them must be one too. */
const words = new Set(["name", "agent", "channel", "model", "session", "id", "priority"]);
/** Fields that can only hold one of a few values. */
const fixed = new Set(["kind", "mode", "status", "full"]);

/** The other fields of entries. What else names something, such as an agent by which tokens are counted, is looked at. */
const otherNames =
  "args result result_full failed cut text resolution action summary content tokens title opened at journal transcript tasks";
const names = new Set([...words, ...fixed, ...otherNames.split(" ")]);

const form = {
  names,
  fixed,
  shape: (text: string, name: string) => {
    const visible = visibleInFile(text);
    return words.has(name) ? asWord(visible) : visible;
  },
};

/**
 * A part of a session's record as it may be written. Control characters become visible: printing session.md must
 * not change a terminal.
 */
export function redactRecord<T>(value: T, redact: Redact): Redacted<T> {
  return redactValue(value, redact, form);
}

/** `[redacted:env NAME]` as a word: `redacted:env-NAME`. */
function asWord(text: string): string {
  return text.replace(/\[(redacted:[^\][]*)\]/g, (_, mark: string) => mark.replace(/\s+/g, "-"));
}

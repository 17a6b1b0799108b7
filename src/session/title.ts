import { fromRedacted, type Redact, type Redacted } from "../contract/redacted.ts";
import { visibleControls } from "../text/controls.ts";
import { asOneLine, cutToCodePoints } from "./text.ts";

const maxTitle = 200;
const maxPromptTitle = 60;
/** No title needs to be looked for further on. */
const maxLooked = 4000;

/** A text as the title of a session or a phase: one line, not too long, and nothing in it that takes effect in a terminal. */
export function asTitle(text: string): string {
  return visibleControls(cutToCodePoints(asOneLine(text), maxTitle));
}

/** What a message of a person gives as the title of its phase. */
export function promptTitle(text: string, redact: Redact): Redacted<string> {
  // First redacted, then cut: the beginning of a secret is no secret to the rules.
  return fromRedacted(redact(text.slice(0, maxLooked).toWellFormed()), (redacted) => {
    const line = cutToCodePoints(asOneLine(redacted.trim().split("\n", 1)[0] ?? ""), maxPromptTitle);
    const title = visibleControls(line) || "Message";
    return /^summary$/i.test(title) ? `${title} (message)` : title;
  });
}

import { sessionIdPattern } from "../contract/session-values.ts";

/** Ids and names are checked here before they become paths. */

export function isSessionId(text: string): boolean {
  return sessionIdPattern.test(text);
}

/** `YYYY-MM-DD-slug` for a title in ASCII letters. */
export function sessionId(started: string, asciiTitle: string): string {
  return `${started.slice(0, 10)}-${slug(asciiTitle)}`;
}

/** What a new session is called when the name is taken: the second gets `-2`, the third `-3`… */
export function numberedId(wantedId: string, number: number): string {
  return number === 1 ? wantedId : `${wantedId}-${number}`;
}

const slugLength = 60;

/** The words of a title in ASCII letters, with hyphens between them; `otherwise` when it has none. */
export function slug(title: string, otherwise = "session"): string {
  const words = title
    .toLowerCase()
    .replace(/['’]/g, "")
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
  let text = "";
  for (const word of words) {
    if (text !== "" && text.length + 1 + word.length > slugLength) break;
    text = text === "" ? word.slice(0, slugLength) : `${text}-${word}`;
  }
  return text === "" ? otherwise : text;
}

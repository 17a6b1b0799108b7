import { ClewError } from "./errors.ts";

/** Which page of a list. `after` is the `next` of the page before. */
export interface PageRequest {
  limit?: number | undefined;
  after?: string | undefined;
}

/** Names the last thing of a page by what orders it, in characters that stand in an address as they are. */
export function cursorAt(...place: (string | number)[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify(place.map(String)));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The place that a cursor names, in so many parts. Throws when it is none of these. */
export function readCursor(after: string, parts: number): string[] {
  const place = decoded(after);
  if (!Array.isArray(place) || place.length !== parts) throw notAPlace(after);
  return place.map(String);
}

function decoded(after: string): unknown {
  try {
    const letters = atob(after.replaceAll("-", "+").replaceAll("_", "/"));
    return JSON.parse(new TextDecoder().decode(Uint8Array.from(letters, (letter) => letter.charCodeAt(0))));
  } catch {
    return undefined;
  }
}

const maxShown = 100;

/** The refusal of an `after` that no page of this list ended with. */
export function notAPlace(after: string): ClewError {
  return new ClewError(
    "invalid_input",
    `there is no place ${JSON.stringify(after.slice(0, maxShown))} in this list to go on after`,
    "give the next of the page before, as it is; without it, the list begins at its first page",
  );
}

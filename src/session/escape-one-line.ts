import { escapeInline, unescapeInline } from "./markdown/inline.ts";

/** Data on one line of session.md: summaries of results, titles, names. Each rule is taken back by its inverse. */

/** The summary of a tool call stands on one line. */
export function escapeSummary(text: string): string {
  return escapeInline(text, { onOneLine: true });
}

const summaryLetters = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["✗", "✗"],
]);

export function unescapeSummary(text: string): string {
  return unescapeInline(text, summaryLetters);
}

/** In a heading, a word that starts with `@` or `#` would read as agent or channel. */
export function escapeTitle(title: string): string {
  return escapeInline(title, { notBesideCode: /[@#]/ }).replace(/(^|\s)([@#])/g, "$1\\$2");
}

export function unescapeTitle(title: string): string {
  return unescapeInline(title);
}

/** A name of one word, an agent, a channel, a model, behind the sign that stands before it. */
export function escapeName(sign: "@" | "#" | "(", name: string): string {
  return escapeInline(sign + name);
}

export const unescapeName = unescapeInline;

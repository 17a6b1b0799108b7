import { ClewError } from "../../contract/errors.ts";
import { searchWords } from "./words.ts";

/** Words that must stand next to each other; with `prefix` the last one need only begin so. */
export interface SearchTerm {
  words: string[];
  prefix: boolean;
}

/** What a text must hold: all terms, anywhere in it. Words are folded as in `words.ts`. */
export interface SearchQuery {
  terms: SearchTerm[];
}

/** More words than any person types, few enough for every full-text engine. */
const maxWords = 100;

/**
 * Reads what a person typed: words, `"quoted phrases"`, and a trailing `*` for words that begin so. All else is data:
 * `foo-bar` looks for the word foo followed by the word bar. Throws `invalid_input` when no word is left.
 */
export function parseQuery(text: string): SearchQuery {
  const terms = new Map<string, SearchTerm>();
  for (const [, quoted, star, bare] of text.matchAll(/"([^"]*)"(\*?)|(\S+)/g)) {
    const term = toTerm(bare ?? `${quoted}${star}`);
    if (term.words.length > 0) terms.set(`${term.words.join(" ")}${term.prefix ? "*" : ""}`, term);
  }
  const query = { terms: [...terms.values()] };
  refuseUnlessSearchable(query, text);
  return query;
}

function toTerm(text: string): SearchTerm {
  const words = searchWords(text);
  const prefix = text.endsWith("*") && words.at(-1)?.end === text.length - 1;
  return { words: words.map(({ word }) => word), prefix };
}

function refuseUnlessSearchable({ terms }: SearchQuery, text: string): void {
  const count = terms.reduce((sum, { words }) => sum + words.length, 0);
  if (count === 0) {
    throw new ClewError(
      "invalid_input",
      text.trim() === "" ? "Nothing to search for" : `No word to search for in ${JSON.stringify(text)}`,
      'Give one or more words, a "quoted phrase", or the beginning of a word followed by *',
    );
  }
  if (count > maxWords) {
    throw new ClewError(
      "invalid_input",
      `The search has ${count} words, more than ${maxWords}`,
      "Search for fewer words",
    );
  }
}

import { fold, wordUnits } from "./fold.ts";
import { unfolder, type TextSpan } from "./places.ts";

/** A word of a text in its folded form; its place in the text as given takes in the accents of its last letter. */
export interface SearchWord extends TextSpan {
  word: string;
}

const words = new RegExp(`[${wordUnits}]+`, "g");

/** The words of a text, in order. */
export function searchWords(text: string): SearchWord[] {
  const original = unfolder(text);
  return Array.from(fold(text).matchAll(words), ({ 0: word, index }) => ({
    word,
    ...original({ start: index, end: index + word.length }),
  }));
}

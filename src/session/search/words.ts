import { fold, wordUnits } from "./fold.ts";
import { unfolder, type Span } from "./places.ts";

/** A word of a text in its folded form; its place in the text as given takes in the accents of its last letter. */
export interface Word extends Span {
  word: string;
}

const words = new RegExp(`[${wordUnits}]+`, "g");

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const original = unfolder(text);
  return Array.from(fold(text).matchAll(words), ({ 0: word, index }) => ({
    word,
    ...original({ start: index, end: index + word.length }),
  }));
}

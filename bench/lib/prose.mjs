import { pick, randomFrom } from "./random.mjs";

const wordCount = 30_000;
const sentenceCount = 20_000;
const syllables = "ba ce di fo gu ha je ki lo mu na pe ri so tu va we yi or an el in ut ast end ing ter ion".split(" ");

/**
 * Sentences of invented words, of which few are frequent and most are rare, as in any language. Returns a function that
 * gives a sentence.
 * @param {() => number} random
 */
export function proseFrom(random) {
  const wordsRandom = randomFrom(7);
  const words = Array.from({ length: wordCount }, (_, rank) => {
    const length = 1 + Math.min(4, Math.floor(Math.log10(rank + 2) + wordsRandom() * 1.5));
    return Array.from({ length }, () => pick(wordsRandom, syllables)).join("");
  });
  // The r-th word is about 1/r times as frequent as the first.
  const word = () => words[Math.floor(wordCount ** wordsRandom()) - 1] ?? "";
  const sentences = Array.from({ length: sentenceCount }, () => {
    const length = 6 + Math.floor(wordsRandom() * 14);
    const text = Array.from({ length }, word).join(" ");
    return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  });
  return () => pick(random, sentences);
}

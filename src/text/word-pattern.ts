/** Words of a command, as a person writes them to mean many: `*` is one word or a part of one, `…` at the end all the rest. */
export interface WordPattern {
  words: readonly PatternWord[];
  isOpen: boolean;
}

/** A word by the parts between its stars. */
export type PatternWord = readonly string[];

const maxWords = 32;
const maxChars = 1_000;

/** Throws an Error with what is allowed. */
export function readWordPattern(text: string): WordPattern {
  if (text.length > maxChars) throw new Error(`must have no more than ${maxChars} characters`);
  const tokens = [...text.matchAll(/"([^"]*)"|'([^']*)'|[^\s"']+/g)];
  const isRest = ([token]: RegExpMatchArray): boolean => token === "…" || token === "...";
  const isOpen = tokens.length > 0 && isRest(tokens.at(-1)!);
  const plain = isOpen ? tokens.slice(0, -1) : tokens;
  if (plain.length === 0) throw new Error("must be words of a command, such as git push …");
  if (plain.length > maxWords) throw new Error(`must have no more than ${maxWords} words`);
  if (plain.some(isRest)) throw new Error("may have … only at its end");
  // What is quoted has no stars.
  const words = plain.map(([token, double, single]) => {
    const quoted = double ?? single;
    return quoted === undefined ? token.split(/\*+/) : [quoted];
  });
  return { words, isOpen };
}

/** Linear in the length of the word: each part is looked for once, behind the one before. */
export function isWord(parts: PatternWord, word: string): boolean {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length === 1) return word === first;
  if (!word.startsWith(first) || !word.endsWith(last) || word.length < first.length + last.length) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = word.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= word.length - last.length;
}

/** What no sign stands for but itself; undefined for a word with stars. */
export function literal(parts: PatternWord): string | undefined {
  return parts.length === 1 ? parts[0] : undefined;
}

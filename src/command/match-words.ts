import { isWord, literal, type PatternWord, type WordPattern } from "../text/word-pattern.ts";
import { anyWords, isKnown, type ShellWord } from "./words.ts";

/** Whether all words are known and are those of the pattern, and nothing else: in doubt not. */
export function matchesExactly({ words: pattern, isOpen }: WordPattern, words: readonly ShellWord[]): boolean {
  if (words.length < pattern.length || (!isOpen && words.length > pattern.length)) return false;
  return words.every(isKnown) && pattern.every((each, at) => isWord(each, words[at] as string));
}

/** What stands behind these is not looked at, and taken for unknown. */
const maxWords = 1_000;

/**
 * Whether a command is one that the pattern means, however it is written: options may stand between its words and take a word, options
 * of the pattern may stand anywhere and together, and more words may follow. `maybe` when that hangs on words that are not known.
 */
export function matchesLoosely({ words: pattern }: WordPattern, given: readonly ShellWord[]): "yes" | "maybe" | "no" {
  const words = given.length > maxWords ? [...given.slice(0, maxWords), anyWords] : given;
  const [program, ...rest] = pattern;
  const isOption = (each: PatternWord): boolean => each[0]!.startsWith("-") && each[0] !== "-";
  const order = [program!, ...rest.filter((each) => !isOption(each))];
  const options = rest.filter(isOption);
  const isMeant = (canBeUnknown: boolean): boolean =>
    hasOrder(order, words, canBeUnknown) && options.every((option) => hasOption(option, words, canBeUnknown));
  if (isMeant(false)) return "yes";
  return words.every(isKnown) || !isMeant(true) ? "no" : "maybe";
}

/** Options that git itself takes a word for; those of other programs may all take one. */
const gitValues = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env|attr-source))$/;

/** Whether the words of a pattern stand in their order, with nothing but options between them. */
function hasOrder(order: readonly PatternWord[], words: readonly ShellWord[], canBeUnknown: boolean): boolean {
  const seen = new Set<number>();
  const isGit = words[0] === "git";
  const visit = (at: number, word: number): boolean => {
    if (at === order.length) return true;
    if (word >= words.length || seen.has(at * (words.length + 1) + word)) return false;
    seen.add(at * (words.length + 1) + word);
    const given = words[word]!;
    if (!isKnown(given)) return canBeUnknown && (visit(at + 1, word + 1) || visit(at, word + 1) || isMore(at, word));
    if (fits(order[at]!, given, at === 0) && visit(at + 1, word + 1)) return true;
    if (at === 0 || !given.startsWith("-")) return false;
    // Git's own options are known: what stands behind such a one is its word, unless that may be several.
    if (isGit && at === 1) return visit(at, gitValues.test(given) && !isList(words[word + 1]) ? word + 2 : word + 1);
    return visit(at, word + 1) || (!given.includes("=") && given !== "--" && visit(at, word + 2));
  };
  /** One that may be several words. */
  const isMore = (at: number, word: number): boolean => isList(words[word]) && visit(at + 1, word);
  return visit(0, 0);
}

function isList(word: ShellWord | undefined): boolean {
  return word !== undefined && !isKnown(word) && word.unknown === "any";
}

/** Names of programs are compared without case, because not every file system has it. */
function fits(pattern: PatternWord, word: string, isProgram: boolean): boolean {
  if (!isProgram) return isWord(pattern, word);
  const lower = pattern.map((part) => part.toLowerCase());
  return isWord(lower, word.toLowerCase().replace(/\.exe$/, ""));
}

/** `--force` also as `--force=x` or cut short; `-rf` also as `-fr` and `-r -f`. */
function hasOption(parts: PatternWord, words: readonly ShellWord[], canBeUnknown: boolean): boolean {
  if (canBeUnknown && !words.every(isKnown)) return true;
  const given = words.filter(isKnown);
  const option = literal(parts);
  if (option === undefined) return given.some((word) => isStarred(parts, word));
  if (given.includes(option)) return true;
  if (option.startsWith("--")) {
    return given.some((word) => word.startsWith(`${option}=`) || (word.length > 4 && option.startsWith(word)));
  }
  const letters = given.filter((word) => /^-[A-Za-z]/.test(word)).join("");
  return option
    .slice(1)
    .split("")
    .every((letter) => letters.includes(letter));
}

/** `--force*` is each option that begins so, also cut short or with a value. */
function isStarred(parts: PatternWord, word: string): boolean {
  if (!word.startsWith("-")) return false;
  const isShort = word.length > 4 && word.startsWith("--") && parts[0]!.startsWith(word);
  return isShort || isWord(parts, word) || isWord(parts, word.replace(/=.*$/s, ""));
}

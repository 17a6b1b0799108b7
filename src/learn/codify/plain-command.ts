import { simpleCommandOf } from "../../command/simple-command.ts";
import { isKnown } from "../../command/words.ts";
import { findMark } from "../../text/redaction-mark.ts";
import { shellWord } from "../../text/shell-word.ts";
import type { OwnRoots } from "./own-roots.ts";

/** Longer ones are no words that a person would want to see again. */
const maxChars = 2000;

/**
 * The words of a command that is nothing but words: no list, pipe, variable, pattern or redirection (but `2>&1`), nothing that a
 * template would read. Where a secret was redacted, its mark is a part of a word. Undefined for any other command: what a shell made
 * of it is not known here.
 */
export function plainWords(text: string, roots: OwnRoots): string[] | undefined {
  const command = text.trim();
  if (command.length > maxChars || command.includes("{{") || /[\n\r]/.test(command)) return undefined;
  if (!findMark(command)) return wordsOf(command, roots);
  const standIns = new Map<string, string>();
  const words = wordsOf(withStandIns(command, standIns), roots);
  const restored = (word: string): string =>
    [...standIns].reduce((left, [standIn, mark]) => left.replaceAll(standIn, mark), word);
  return words?.map(restored);
}

/** A mark has brackets and blanks, which the secret itself had not: a word stands in for each. */
function withStandIns(command: string, standIns: Map<string, string>): string {
  let rest = command;
  let written = "";
  for (let found = findMark(rest); found; found = findMark(rest)) {
    let standIn = `redacted${standIns.size}secret`;
    while (command.includes(standIn)) standIn += "x";
    standIns.set(standIn, found.mark);
    written += rest.slice(0, found.offset) + standIn;
    rest = rest.slice(found.offset + found.mark.length);
  }
  return written + rest;
}

function wordsOf(command: string, roots: OwnRoots): string[] | undefined {
  const parsed = simpleCommandOf(command);
  if ("problem" in parsed || parsed.assignments.length > 0) return undefined;
  if (!parsed.redirections.every(({ operator, target }) => operator === ">&" && target === "1")) return undefined;
  const words = parsed.words.filter(isKnown);
  if (words.length === 0 || words.length < parsed.words.length) return undefined;
  if (words.some((word) => word === "" || word.startsWith("~") || word.includes("{{") || /\p{C}/u.test(word)))
    return undefined;
  return words.map((word, at) => relativeWord(word, roots, at === 0));
}

/** A word with a path as it is named from the root. The result is looked up in no PATH, and is no option or assignment. */
function relativeWord(word: string, roots: OwnRoots, isProgram: boolean): string {
  const path = roots.relativePath(word);
  if (path === word) return word;
  const isSafe = isProgram ? /^[^-/=][^/=]*\//.test(path) : !path.startsWith("-");
  return isSafe ? path : `./${path}`;
}

export function commandText(words: readonly string[]): string {
  return words.map(shellWord).join(" ");
}

/** The same for the same words. */
export function commandKey(words: readonly string[]): string {
  return words.join("\0");
}

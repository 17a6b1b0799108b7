import type { StdinUse } from "../reading.ts";
import type { Lexer } from "../lexer.ts";
import type { HoleRefusal } from "../refusal.ts";
import { DYNAMIC, type ShellWord } from "../word.ts";

/** Checks a command's words, from its name on. Returns what it does with its standard input, if that matters. */
export type CommandRule = (lexer: Lexer, words: ShellWord[]) => StdinUse | undefined;

/** The name of a command without folder and version: `/usr/bin/python3.11` is `python`. Expansions may be empty. */
export function commandName(word: ShellWord): string {
  const base = word.text.slice(word.text.lastIndexOf("/") + 1).replaceAll(DYNAMIC, "");
  return /^(python|pypy|perl|ruby|php|node|lua)[\d.]+$/.exec(base)?.[1] ?? base;
}

/** Whether the word names the file that is the standard input. */
export function isStandardInput({ text }: ShellWord): boolean {
  return /^\/(dev\/stdin|(dev|proc\/self)\/fd\/0)$/.test(text);
}

export function hasHole(word: ShellWord | undefined): boolean {
  return word !== undefined && word.holes.first < word.holes.end;
}

export function refuseAll(lexer: Lexer, words: ShellWord[], refusal: HoleRefusal): void {
  for (const word of words) lexer.refuse(word.holes, refusal);
}

/** Whether the word is a list in quotes, `"$@"` or `"${a[@]}"`, which may turn into several words or none. */
export function isList(lexer: Lexer, word: ShellWord): boolean {
  return word.text === DYNAMIC && lexer.text.slice(word.start, word.end).includes("@");
}

/** Whether the word is an expansion without quotes, which may turn into several words or none. */
export function isUnquotedVariable(lexer: Lexer, word: ShellWord): boolean {
  const first = lexer.text[word.start];
  return word.text === DYNAMIC && (first === "$" || first === "`");
}

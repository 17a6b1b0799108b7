import type { Word, WordPart } from "unbash";
import { shapesOf } from "./word-shapes.ts";

/** What a shell puts in the place of a word cannot be told from the text: it is one word, or any number of them. */
export interface UnknownWord {
  unknown: "one" | "any";
  /** What each of them may be; absent when that may be anything. */
  shapes?: readonly string[];
}

/** A word as a program gets it, without its quotes. */
export type ShellWord = string | UnknownWord;

export const anyWords: UnknownWord = { unknown: "any" };

export function isKnown(word: ShellWord | undefined): word is string {
  return typeof word === "string";
}

/** What a shell makes of a word. */
export function wordOf({ value, parts }: Word): ShellWord {
  if (parts === undefined) return value;
  const certainties = parts.map(certaintyOf);
  const unknown = certainties.includes("any") ? "any" : certainties.includes("one") ? "one" : undefined;
  if (unknown === undefined) return value;
  const shapes = hasList(parts) ? undefined : shapesOf(parts);
  return { unknown, ...(shapes && { shapes }) };
}

/** Whether a part is what is written there, one text that is not known, or any number of words. */
function certaintyOf(part: WordPart): "known" | "one" | "any" {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return "known";
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.every(({ type }) => type === "Literal") ? "known" : isList(part.parts) ? "any" : "one";
    case "ArithmeticExpansion":
    case "ProcessSubstitution":
      return "one";
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
    case "SimpleExpansion":
    case "ParameterExpansion":
    case "CommandExpansion":
      return "any";
  }
}

function hasList(parts: readonly WordPart[]): boolean {
  return parts.some((part) => (part.type === "DoubleQuoted" || part.type === "LocaleString") && isList(part.parts));
}

/** `"$@"` and `"${list[@]}"` are as many words as there are, also in quotes. */
function isList(parts: readonly { text: string }[]): boolean {
  return parts.some(({ text }) => /^\$\{?!?(?:@|\w+\[[@*]\])|@\}$/.test(text));
}

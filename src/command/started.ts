import type { ShellWord } from "./words.ts";

/** What a command starts: commands by their words, and texts that a shell reads. */
export interface Started {
  commands: ShellWord[][];
  /** Undefined stands for a text that is not known. */
  texts: (string | undefined)[];
}

/** What a command reads: texts of here-documents, or something that is not known. */
export interface Input {
  texts: string[];
  isUnknown: boolean;
}

export const noCommands: Started = { commands: [], texts: [] };

/** A word by which a program is told to read what it is given: its stdin as a file. */
export function isStdin(word: ShellWord | undefined): boolean {
  return typeof word === "string" && /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/(?:self|\d+)\/fd\/0)$/.test(word);
}

/** All that is read, as texts. */
export function readTexts({ texts, isUnknown }: Input): Started["texts"] {
  return [...texts, ...(isUnknown ? [undefined] : [])];
}

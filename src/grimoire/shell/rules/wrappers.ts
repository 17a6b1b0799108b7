import type { Lexer } from "../lexer.ts";
import { type HoleRefusal, refusals } from "../refusal.ts";
import type { ShellWord } from "../word.ts";
import { commandName, hasHole, isUnquotedVariable, refuseAll } from "./rule.ts";
import { LONG_FLAGS, type Wrapper, wrappers } from "./wrapper-table.ts";

/** The wrapper that a command begins with, and how many words name it. */
function wrapperOf(words: ShellWord[]): { wrapper: Wrapper; name: string; length: number } | undefined {
  let name = "";
  for (let length = 1; length <= Math.min(3, words.length); length++) {
    name = length === 1 ? commandName(words[0]!) : `${name} ${words[length - 1]!.text}`;
    const wrapper = wrappers.get(name);
    if (wrapper !== undefined) return { wrapper, name, length };
  }
  return undefined;
}

/** Whether a wrapper without a command starts a shell, which then reads its standard input. */
export function startsShell(words: ShellWord[]): boolean {
  return words.some((_, at) => {
    const shell = wrapperOf(words.slice(at, at + 3))?.wrapper.shell;
    return shell !== undefined && words.some(({ text }) => shell.test(text));
  });
}

/** The words of the command that a wrapper runs; undefined if the first word is no wrapper. */
export function wrappedCommand(lexer: Lexer, words: ShellWord[]): ShellWord[] | undefined {
  const match = wrapperOf(words);
  if (match === undefined) return undefined;
  const { wrapper, name, length } = match;
  let operands = wrapper.operands ?? 0;
  for (let at = length; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === "--") return words.slice(at + 1 + operands);
    if (wrapper.allowsAssignments === true && /^[A-Za-z_]\w*=/.test(text)) continue;
    // An unquoted variable may hold options, or nothing at all.
    if (isUnquotedVariable(lexer, words[at]!)) continue;
    if (!text.startsWith("-")) {
      if (operands-- > 0) continue;
      return words.slice(at);
    }
    const option = readOption(wrapper, text);
    if (option === "asks") return [];
    if (option === "value") at++;
    if (option === "unknown") {
      refuseAll(lexer, words.slice(at), unknownOption(name, text));
      return words.slice(at + 1);
    }
  }
  return [];
}

/** What an option means for the words behind it. */
function readOption(wrapper: Wrapper, text: string): "flag" | "value" | "asks" | "unknown" {
  if (text.startsWith("--")) {
    const long = wrapper.long?.split(" ") ?? [];
    if (long.includes(`${text}=`)) return "value";
    return LONG_FLAGS.test(text) || long.includes(text) || /^--[a-z-]+=/.test(text) ? "flag" : "unknown";
  }
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!;
    if (wrapper.queryFlags?.includes(letter) === true) return "asks";
    if (wrapper.values?.includes(letter) === true) return at === text.length - 1 ? "value" : "flag";
    if (wrapper.flags?.includes(letter) !== true) return "unknown";
  }
  return "flag";
}

function unknownOption(name: string, option: string): HoleRefusal {
  const displayOption = option.replaceAll(/[\0\u0001]/g, "…");
  return {
    where: `behind the option ${displayOption} of ${name}, which leaves unclear where the command begins`,
    hint: () => `Use the short form of the option, or write -- before the command that ${name} runs.`,
  };
}

/**
 * Refuses a hole in the command word. A variable without quotes may be empty, and the next word is then the command:
 * it is judged in its place, too.
 */
export function skipEmptyCommands(lexer: Lexer, words: ShellWord[]): ShellWord[] {
  let at = 0;
  while (at < words.length - 1 && mayVanish(lexer, words[at]!) && !hasHole(words[at])) at++;
  if (at > 0) refuseVanishing(lexer, words, at);
  return words.slice(at);
}

/** `${x:?}` and `${x:-vi}` are never empty. */
function mayVanish(lexer: Lexer, word: ShellWord): boolean {
  const nonEmptyExpansion = /^\$\{\w+:(\?|[-=][\w./-]+\}$)/;
  return isUnquotedVariable(lexer, word) && !nonEmptyExpansion.test(lexer.text.slice(word.start, word.end));
}

function refuseVanishing(lexer: Lexer, words: ShellWord[], at: number): void {
  if (!hasHole(words[at])) return;
  const before = lexer.text.slice(words[at - 1]!.start, words[at - 1]!.end);
  lexer.refuse(words[at]!.holes, {
    where: `behind ${before}, which may be empty, so that the value would choose the program`,
    hint: (source) => `Put the command in quotes: "${before}" ${source}.`,
  });
}

export function commandWordRefusal(word: ShellWord): HoleRefusal {
  return /^[\w\0]+\+?=/.test(word.text) ? refusals.variableName : refusals.commandWord;
}

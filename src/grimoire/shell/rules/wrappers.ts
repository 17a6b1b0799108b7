import type { Lexer } from "../lexer.ts";
import { type Refusal, refusals } from "../refusal.ts";
import type { Word } from "../word.ts";
import { commandName, hasHole, isUnquotedVariable, refuseAll } from "./rule.ts";

/** A program whose arguments are another command, and what may stand before that command. */
interface Wrapper {
  /** Letters of options without a value. */
  flags?: string;
  /** Letters of options with a value. */
  values?: string;
  /** Words before the command that are neither options nor part of it: the time of `timeout`. */
  operands?: number;
  /** Whether `NAME=value` may stand before the command. */
  assigns?: boolean;
  /** Letters of options that leave nothing to run. */
  asks?: string;
}

const wrappers = new Map<string, Wrapper>([
  ["builtin", {}],
  ["busybox", {}],
  ["chroot", { operands: 1 }],
  ["command", { flags: "p", asks: "vV" }],
  ["doas", { flags: "nsL", values: "uC" }],
  ["env", { flags: "i0v", values: "uC", assigns: true }],
  ["exec", { flags: "cl", values: "a" }],
  ["ionice", { flags: "t", values: "cn" }],
  ["nice", { flags: "0123456789", values: "n" }],
  ["nohup", {}],
  ["setsid", { flags: "cfw" }],
  ["stdbuf", { values: "ioe" }],
  ["strace", { flags: "cfFqrtTvVxy", values: "oepsuEIPa" }],
  ["sudo", { flags: "AbEHiknPsS", values: "ugpChrtTUDR", assigns: true }],
  ["taskset", { flags: "ac", operands: 1 }],
  ["time", { flags: "apqvV", values: "fo" }],
  ["timeout", { flags: "fpv", values: "ks", operands: 1 }],
  ["xargs", { flags: "0oprtx", values: "adEILnPs" }],
]);

const LONG_FLAGS = new Set([
  "--foreground",
  "--ignore-environment",
  "--no-run-if-empty",
  "--non-interactive",
  "--null",
  "--preserve-env",
  "--preserve-status",
  "--verbose",
  "--wait",
]);

/** Gives the words of the command that a wrapper runs, or undefined if the first word is no wrapper. */
export function unwrap(lexer: Lexer, words: Word[]): Word[] | undefined {
  const wrapper = wrappers.get(commandName(words[0]!));
  if (wrapper === undefined) return undefined;
  let operands = wrapper.operands ?? 0;
  for (let at = 1; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === "--") return words.slice(at + 1 + operands);
    if (wrapper.assigns === true && /^[A-Za-z_]\w*=/.test(text)) continue;
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
      refuseAll(lexer, words.slice(at), unknownOption(commandName(words[0]!), text));
      return words.slice(at + 1);
    }
  }
  return [];
}

/** What an option means for the words behind it. */
function readOption(wrapper: Wrapper, text: string): "flag" | "value" | "asks" | "unknown" {
  if (text.startsWith("--")) return LONG_FLAGS.has(text) || /^--[a-z-]+=/.test(text) ? "flag" : "unknown";
  for (let at = 1; at < text.length; at++) {
    const letter = text[at]!;
    if (wrapper.asks?.includes(letter) === true) return "asks";
    if (wrapper.values?.includes(letter) === true) return at === text.length - 1 ? "value" : "flag";
    if (wrapper.flags?.includes(letter) !== true) return "unknown";
  }
  return "flag";
}

function unknownOption(name: string, option: string): Refusal {
  const shown = option.replaceAll(/[\0\u0001]/g, "…");
  return {
    where: `behind the option ${shown} of ${name}, which leaves unclear where the command begins`,
    hint: () => `Use the short form of the option, or write -- before the command that ${name} runs.`,
  };
}

/**
 * Refuses a hole in the command word. A variable without quotes may be empty, and the next word is then the command:
 * it is judged in its place, too.
 */
export function skipEmptyCommands(lexer: Lexer, words: Word[]): Word[] {
  let at = 0;
  while (at < words.length - 1 && mayVanish(lexer, words[at]!) && !hasHole(words[at])) at++;
  if (at > 0) refuseVanishing(lexer, words, at);
  return words.slice(at);
}

function mayVanish(lexer: Lexer, word: Word): boolean {
  return isUnquotedVariable(lexer, word) && !/^\$\{\w+:\?/.test(lexer.text.slice(word.start, word.end));
}

function refuseVanishing(lexer: Lexer, words: Word[], at: number): void {
  if (!hasHole(words[at])) return;
  const before = lexer.text.slice(words[at - 1]!.start, words[at - 1]!.end);
  lexer.refuse(words[at]!.holes, {
    where: `behind ${before}, which may be empty, so that the value would choose the program`,
    hint: (source) => `Put the command in quotes: "${before}" ${source}.`,
  });
}

/** Says why a command word may not be a hole. */
export function commandWordRefusal(word: Word): Refusal {
  return /^[\w\0]+\+?=/.test(word.text) ? refusals.variableName : refusals.commandWord;
}

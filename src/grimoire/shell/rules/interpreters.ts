import type { Lexer } from "../lexer.ts";
import type { Refusal } from "../refusal.ts";
import type { Word } from "../word.ts";
import { commandName, hasHole, isUnquotedVariable, refuseAll } from "./rule.ts";

const SHELLS = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash", "yash", "posh", "fish"]);

/** A program that takes code as an option, and how that code gets at an argument. */
interface Interpreter {
  code: RegExp;
  argument: string;
  /** Options known to take no value. */
  flags?: RegExp;
}

const PYTHON_FLAGS = /^(-[bBdEiIOPqsSuvx]+|--)$/;

const INTERPRETERS = new Map<string, Interpreter>([
  ["python", { code: /^-[A-Za-z]*c/, argument: "python3 -c 'import sys; … sys.argv[1] …'", flags: PYTHON_FLAGS }],
  ["pypy", { code: /^-[A-Za-z]*c/, argument: "pypy -c 'import sys; … sys.argv[1] …'", flags: PYTHON_FLAGS }],
  ["perl", { code: /^-[A-Za-z0-9]*[eE]/, argument: "perl -e '… $ARGV[0] …' --", flags: /^(-[acnpstTwWl0-9]+|--)$/ }],
  ["ruby", { code: /^-[A-Za-z]*e/, argument: "ruby -e '… ARGV[0] …' --", flags: /^(-[acdlnpsSvw0-9]+|--)$/ }],
  ["node", { code: /^(-[a-z]*[ep]|--eval|--print)/, argument: "node -e '… process.argv[1] …' --" }],
  ["bun", { code: /^(-[a-z]*[ep]|--eval|--print)/, argument: "bun -e '… process.argv[1] …' --" }],
  ["php", { code: /^-[A-Za-z]*[rBRE]/, argument: "php -r '… $argv[1] …' --" }],
  ["lua", { code: /^-e/, argument: "lua -e '… arg[1] …'" }],
  ["Rscript", { code: /^-e/, argument: "Rscript -e '… commandArgs(TRUE)[1] …'" }],
  ["julia", { code: /^(-[eE]|--eval|--print)/, argument: "julia -e '… ARGS[1] …'" }],
]);

export function isShell(word: Word): boolean {
  return SHELLS.has(commandName(word));
}

export function isInterpreter(word: Word): boolean {
  return INTERPRETERS.has(commandName(word));
}

const shellCode: Refusal = {
  where: "in the code of sh -c, where the value would be read as commands",
  hint: (source) => `Pass it as an argument: sh -c '… "$1" …' sh ${source}.`,
};
const shellScript: Refusal = {
  where: "where a shell expects an option or its script",
  hint: (source) => `Write the script's name, and pass the value behind it: sh ./script ${source}.`,
};
const shellInput: Refusal = {
  where: "in text that a shell reads as commands",
  hint: (source) =>
    `Quote the delimiter, use "$1" in the text, and pass the value as an argument: sh -s -- ${source} <<'EOF'.`,
};

/** Shells: the code behind `-c`, or the script, or what they read. Words behind those are arguments, hence data. */
export function checkShell(lexer: Lexer, words: Word[]): Refusal | undefined {
  let code = false;
  let input = false;
  let ended = false;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === "-" || text === "--") {
      ended = true;
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    lexer.refuse(words[at]!.holes, shellScript);
    if (/^-[A-Za-z]*c/.test(text)) code = true;
    if (/^-[A-Za-z]*s/.test(text)) input = true;
    if (/^[-+][A-Za-z]*[oO]$|^--(rcfile|init-file)$/.test(text)) {
      at++;
      if (hasHole(words[at])) lexer.refuse(words[at]!.holes, shellScript);
    }
  }
  const operand = words[at];
  if (operand === undefined) return code ? undefined : shellInput;
  if (input && !code) {
    if (!ended) lexer.refuse(operand.holes, { ...shellScript, hint: behindDashes });
    return shellInput;
  }
  lexer.refuse(operand.holes, code ? shellCode : shellScript);
  // It may turn out to be options, so that the code comes later.
  if (isUnquotedVariable(lexer, operand)) refuseAll(lexer, words.slice(at), shellScript);
  return undefined;
}

const behindDashes = (source: string) => `Write -- before the values: sh -s -- ${source}.`;

/** Interpreters: every hole before the script's name or in code is refused. */
export function checkInterpreter(lexer: Lexer, words: Word[]): Refusal | undefined {
  const name = commandName(words[0]!);
  const interpreter = INTERPRETERS.get(name)!;
  const hint = (source: string) => `Pass it as an argument: ${interpreter.argument} ${source}.`;
  const refusal: Refusal = { where: `in the code of ${name}, or where it expects an option or its script`, hint };
  const input: Refusal = { where: `in text that ${name} reads as code`, hint };
  let coded = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const option = /^-./.test(word.text);
    if (coded && (!option || word.text === "--")) return undefined;
    lexer.refuse(word.holes, refusal);
    const code = interpreter.code.exec(word.text)?.[0];
    if (code !== undefined) {
      coded = true;
      if (code === word.text && hasHole(words[++at])) lexer.refuse(words[at]!.holes, refusal);
    } else if (word.text === "-") return input;
    // What follows an option may be its value; behind anything else it is the script, and the rest is data.
    else if (!option && !isUnquotedVariable(lexer, word) && !takesValue(interpreter, words[at - 1]!)) return undefined;
  }
  return coded ? undefined : input;
}

function takesValue(interpreter: Interpreter, before: Word): boolean {
  return /^-./.test(before.text) && !before.text.includes("=") && interpreter.flags?.test(before.text) !== true;
}

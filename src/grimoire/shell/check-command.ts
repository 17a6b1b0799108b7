import type { Lexer } from "./lexer.ts";
import type { Refusal } from "./refusal.ts";
import { builtins } from "./rules/builtins.ts";
import { checkInterpreter, checkShell, isInterpreter, isShell } from "./rules/interpreters.ts";
import { programs } from "./rules/programs.ts";
import { commandName, hasHole, refuseAll } from "./rules/rule.ts";
import { commandWordRefusal, skipEmptyCommands, unwrap } from "./rules/wrappers.ts";
import { refusals } from "./refusal.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { DYNAMIC, type Word } from "./word.ts";

/** Judges the holes of a complete command: those that its shell or its program would read as code are refused. */
export function checkCommand(lexer: Lexer, command: SimpleCommand): void {
  for (const { assigns, holes } of command.assignments) {
    if (assigns !== undefined) lexer.assignments.push({ name: assigns, declared: false, holes });
  }
  refuseAll(lexer, command.words.slice(command.otherFrom), refusals.otherCommand);
  const input = checkWords(lexer, command.words);
  if (input === undefined) return;
  for (const document of command.documents) document.code = input;
  refuseAll(lexer, command.strings, input);
}

/** Judges the words of a command. Returns why its standard input is code, if it is. */
export function checkWords(lexer: Lexer, all: Word[]): Refusal | undefined {
  const words = innermost(lexer, all);
  const [first] = words;
  if (first === undefined) return undefined;
  lexer.refuse(first.holes, commandWordRefusal(first));
  checkInnerShells(lexer, words);
  for (const command of [all, words]) checkUnknownShell(lexer, command);
  if (isShell(first)) return checkShell(lexer, words);
  if (isInterpreter(first)) return checkInterpreter(lexer, words);
  const name = commandName(first);
  if (name === "find") checkFind(lexer, words);
  return (builtins.get(name) ?? programs.get(name))?.(lexer, words);
}

/** The words of the command that runs in the end: `sudo env X=1 make` runs `make`. */
function innermost(lexer: Lexer, all: Word[]): Word[] {
  const words = skipEmptyCommands(lexer, all);
  if (words.length === 0 || hasHole(words[0])) return words;
  const inner = unwrap(lexer, words);
  return inner === undefined ? words : lexer.nest(() => innermost(lexer, inner));
}

/**
 * Any program may run a shell: `docker exec box sh -c …`. So a shell's or interpreter's name is looked for among all
 * words, and the words behind it are judged if they begin with an option.
 */
function checkInnerShells(lexer: Lexer, words: Word[]): void {
  for (let at = 1; at < words.length - 1; at++) {
    if (!/^-[A-Za-z]/.test(words[at + 1]!.text)) continue;
    if (isShell(words[at]!)) checkShell(lexer, words.slice(at));
    else if (isInterpreter(words[at]!)) checkInterpreter(lexer, words.slice(at));
  }
}

/** `"$SHELL" -c …`: a command that is not known and takes `-c` is taken for a shell. */
function checkUnknownShell(lexer: Lexer, words: Word[]): void {
  if (words[0]!.text.endsWith(DYNAMIC) && /^-[a-z]*c$/.test(words[1]?.text ?? "")) checkShell(lexer, words);
}

/** `find … -exec COMMAND ;`: the command is judged like any other. */
function checkFind(lexer: Lexer, words: Word[]): void {
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|ok)(dir)?$/.test(words[at]!.text)) continue;
    const behind = words.slice(at + 1);
    const end = behind.findIndex((word) => word.text === ";" || word.text === "+");
    const command = end === -1 ? behind : behind.slice(0, end);
    lexer.nest(() => checkWords(lexer, command));
    at += command.length;
  }
}

import type { Input } from "./reading.ts";
import type { Lexer } from "./lexer.ts";
import { builtins } from "./rules/builtins.ts";
import { checkInterpreter, isInterpreter } from "./rules/interpreters.ts";
import { programs } from "./rules/programs.ts";
import { commandName, hasHole, isStandardInput, refuseAll } from "./rules/rule.ts";
import { checkShell, isShell, shellInput } from "./rules/shells.ts";
import { commandWordRefusal, skipEmptyCommands, startsShell, unwrap } from "./rules/wrappers.ts";
import { refusals } from "./refusal.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { DYNAMIC, type Word } from "./word.ts";

/**
 * Judges the holes of a complete command: those that its shell or its program would read as code are refused. `group`
 * is what the commands of a group make of the input that redirections behind it give.
 */
export function checkCommand(lexer: Lexer, command: SimpleCommand, group: Input[]): void {
  for (const { assigns, holes } of command.assignments) {
    if (assigns !== undefined) lexer.assignments.push({ name: assigns, declared: false, holes });
  }
  refuseAll(lexer, command.words.slice(command.otherFrom), refusals.otherCommand);
  const input = checkWords(lexer, command.words);
  if (input !== undefined && !command.redirected) lexer.pipelines.feed(input);
  for (const each of input === undefined ? group : [input]) {
    for (const document of command.documents) document.inputs.push(each);
    for (const source of command.sources) lexer.takeInput(each, source.holes);
  }
}

/** Judges the words of a command. Returns what is to be said of its standard input, if anything. */
export function checkWords(lexer: Lexer, all: Word[]): Input | undefined {
  if (all.length === 0) return undefined;
  const words = innermost(lexer, all);
  const unknown = checkUnknownShell(lexer, all);
  const [first] = words;
  if (first === undefined) return unknown ?? (startsShell(all) ? shellInput : undefined);
  lexer.refuse(first.holes, commandWordRefusal(first));
  const inner = checkInnerShells(lexer, words);
  if (isShell(first)) return checkShell(lexer, words);
  if (isInterpreter(first)) return checkInterpreter(lexer, words);
  const name = commandName(first);
  if (name === "find") checkFind(lexer, words);
  const own = (builtins.get(name) ?? programs.get(name))?.(lexer, words);
  return own ?? inner ?? unknown ?? checkUnknownShell(lexer, words);
}

/** The words of the command that runs in the end: `sudo env X=1 make` runs `make`. */
function innermost(lexer: Lexer, all: Word[]): Word[] {
  const words = skipEmptyCommands(lexer, all);
  if (words.length === 0 || hasHole(words[0])) return words;
  const inner = unwrap(lexer, words);
  return inner === undefined ? words : lexer.nest(() => innermost(lexer, inner));
}

/** Programs that run commands elsewhere, and give them their own input. */
const RUNNERS = new Set(["docker", "podman", "nerdctl", "kubectl", "oc", "lxc", "incus", "crictl", "docker-compose"]);

/**
 * Any program may run a shell: `docker exec box sh -c …`. So a shell's or interpreter's name is looked for among all
 * words, and the words behind it are judged if they begin with an option. Its input counts only where the name is sure
 * to be a command: `grep bash` runs none.
 */
function checkInnerShells(lexer: Lexer, words: Word[]): Input | undefined {
  const runs = RUNNERS.has(commandName(words[0]!));
  for (let at = 1; at < words.length; at++) {
    const behind = words[at + 1];
    if (behind === undefined ? !runs : !behind.text.startsWith("-") && !isStandardInput(behind)) continue;
    if (!isShell(words[at]!) && !isInterpreter(words[at]!)) continue;
    const input = (isShell(words[at]!) ? checkShell : checkInterpreter)(lexer, words.slice(at));
    if (input !== undefined && (runs || /^-[A-Za-z]*s$/.test(behind?.text ?? ""))) return input;
  }
  return undefined;
}

/** `"$SHELL" -c …`: a variable of that name, and any command that is not known but takes `-c`, is taken for a shell. */
function checkUnknownShell(lexer: Lexer, words: Word[]): Input | undefined {
  const [first] = words;
  if (first === undefined || !first.text.endsWith(DYNAMIC)) return undefined;
  const named = /^"?\$\{?(SHELL|BASH)\b/.test(lexer.text.slice(first.start, first.end));
  return named || takesCode(words) ? checkShell(lexer, words) : undefined;
}

/** Whether `-c` is among the options before the first operand. */
function takesCode(words: Word[]): boolean {
  for (let at = 1; at < words.length && /^[-+]/.test(words[at]!.text); at++) {
    if (/^-[A-Za-z]*c$/.test(words[at]!.text)) return true;
    if (/^[-+][A-Za-z]*[oO]$/.test(words[at]!.text)) at++;
  }
  return false;
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

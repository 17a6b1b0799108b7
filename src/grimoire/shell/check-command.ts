import type { StdinUse } from "./reading.ts";
import type { Lexer } from "./lexer.ts";
import { builtins } from "./rules/builtins.ts";
import { checkInterpreter, isInterpreter } from "./rules/interpreters.ts";
import { programs } from "./rules/programs.ts";
import { commandName, hasHole, isStandardInput, refuseAll } from "./rules/rule.ts";
import { checkShell, isShell, shellInput } from "./rules/shells.ts";
import { commandWordRefusal, skipEmptyCommands, startsShell, wrappedCommand } from "./rules/wrappers.ts";
import { refusals } from "./refusal.ts";
import type { SimpleCommand } from "./simple-command.ts";
import { DYNAMIC, type ShellWord } from "./word.ts";

/**
 * Refuses the holes of a complete command that its shell or its program would read as code. `groupUses` is what the
 * commands of a group do with the input that redirections behind the group give.
 */
export function checkCommand(lexer: Lexer, command: SimpleCommand, groupUses: StdinUse[]): void {
  for (const { assignedName: name, holes } of command.assignments) {
    if (name !== undefined) lexer.assignments.push({ name, isDeclaration: false, holes });
  }
  refuseAll(lexer, command.words.slice(command.otherCommandStart), refusals.otherCommand);
  const stdinUse = checkWords(lexer, command.words);
  if (stdinUse !== undefined && !command.hasInputRedirection) lexer.pipelines.feed(stdinUse);
  for (const use of stdinUse === undefined ? groupUses : [stdinUse]) {
    for (const document of command.documents) document.stdinUses.push(use);
    for (const source of command.sources) lexer.checkStdin(use, source.holes);
  }
}

/** Checks the words of a command. Returns what it does with its standard input, if that matters. */
export function checkWords(lexer: Lexer, all: ShellWord[]): StdinUse | undefined {
  if (all.length === 0) return undefined;
  const words = unwrapAll(lexer, all);
  const unknownShellUse = checkUnknownShell(lexer, all);
  const [first] = words;
  if (first === undefined) return unknownShellUse ?? (startsShell(all) ? shellInput : undefined);
  lexer.refuse(first.holes, commandWordRefusal(first));
  const innerShellUse = checkInnerShells(lexer, words);
  if (isShell(first)) return checkShell(lexer, words);
  if (isInterpreter(first)) return checkInterpreter(lexer, words);
  const name = commandName(first);
  if (name === "find") checkFind(lexer, words);
  const ruleUse = (builtins.get(name) ?? programs.get(name))?.(lexer, words);
  return ruleUse ?? innerShellUse ?? unknownShellUse ?? checkUnknownShell(lexer, words);
}

/** The words of the command that runs in the end: `sudo env X=1 make` runs `make`. */
function unwrapAll(lexer: Lexer, all: ShellWord[]): ShellWord[] {
  const words = skipEmptyCommands(lexer, all);
  if (words.length === 0 || hasHole(words[0])) return words;
  const inner = wrappedCommand(lexer, words);
  return inner === undefined ? words : lexer.nest(() => unwrapAll(lexer, inner));
}

/** Programs that run commands elsewhere, and give them their own input. */
const RUNNERS = new Set(["docker", "podman", "nerdctl", "kubectl", "oc", "lxc", "incus", "crictl", "docker-compose"]);

/**
 * Any program may run a shell: `docker exec box sh -c …`. So a shell's or interpreter's name is looked for among all
 * words, and the words behind it are judged if they begin with an option. Its input counts only where the name is sure
 * to be a command: `grep bash` runs none.
 */
function checkInnerShells(lexer: Lexer, words: ShellWord[]): StdinUse | undefined {
  const isRunner = RUNNERS.has(commandName(words[0]!));
  for (let at = 1; at < words.length; at++) {
    const next = words[at + 1];
    if (next === undefined ? !isRunner : !next.text.startsWith("-") && !isStandardInput(next)) continue;
    if (!isShell(words[at]!) && !isInterpreter(words[at]!)) continue;
    const stdinUse = (isShell(words[at]!) ? checkShell : checkInterpreter)(lexer, words.slice(at));
    if (stdinUse !== undefined && (isRunner || /^-[A-Za-z]*s$/.test(next?.text ?? ""))) return stdinUse;
  }
  return undefined;
}

/** `"$SHELL" -c …`: a variable of that name, and any command that is not known but takes `-c`, is taken for a shell. */
function checkUnknownShell(lexer: Lexer, words: ShellWord[]): StdinUse | undefined {
  const [first] = words;
  if (first === undefined || !first.text.endsWith(DYNAMIC)) return undefined;
  const isShellVariable = /^"?\$\{?(SHELL|BASH)\b/.test(lexer.text.slice(first.start, first.end));
  return isShellVariable || takesCode(words) ? checkShell(lexer, words) : undefined;
}

/** Whether `-c` is among the options before the first operand. */
function takesCode(words: ShellWord[]): boolean {
  for (let at = 1; at < words.length && /^[-+]/.test(words[at]!.text); at++) {
    if (/^-[A-Za-z]*c$/.test(words[at]!.text)) return true;
    if (/^[-+][A-Za-z]*[oO]$/.test(words[at]!.text)) at++;
  }
  return false;
}

/** `find … -exec COMMAND ;`: the command is judged like any other. */
function checkFind(lexer: Lexer, words: ShellWord[]): void {
  for (let at = 1; at < words.length; at++) {
    if (!/^-(exec|ok)(dir)?$/.test(words[at]!.text)) continue;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.text === ";" || word.text === "+");
    const command = end === -1 ? rest : rest.slice(0, end);
    lexer.nest(() => checkWords(lexer, command));
    at += command.length;
  }
}

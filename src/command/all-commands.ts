import type { Command, Redirected } from "unbash";
import { shellWord } from "../text/shell-word.ts";
import { startedByCode } from "./code-strings.ts";
import { inputsIn } from "./command-inputs.ts";
import { guessesOf } from "./guessed-commands.ts";
import { parseShell } from "./parse-shell.ts";
import { readCommand, readRedirection, type ShellAssignment, type ShellRedirection } from "./read-command.ts";
import { anyWords, isKnown, type ShellWord } from "./words.ts";
import { startedByVariables } from "./command-variables.ts";
import type { Input } from "./started.ts";
import { programOf, startedBy } from "./wrappers.ts";

/** A command that a text may execute. */
export interface ExecutedCommand {
  /** The first is the program's name, without its folder. */
  words: ShellWord[];
  /** The same with the program as it is written: what stands in a folder may be another one of that name. */
  named: ShellWord[];
  assignments: ShellAssignment[];
  redirections: ShellRedirection[];
  /** Whether it stands in the text as it is; false when another command starts it. */
  isWritten: boolean;
}

export interface ExecutedCommands {
  commands: ExecutedCommand[];
  /** What may be commands as well, behind programs that no table has: too little to name files by. */
  guesses: (readonly ShellWord[])[];
  /** False when something may be executed that the text does not tell: it then has a command of unknown words. */
  isWhole: boolean;
  /** Whether it is nothing but commands, one after the other: no loop, group or function around them, which may change what they do. */
  isPlain: boolean;
}

const compoundNodes = new Set<string>(
  "BraceGroup Subshell For ArithmeticFor While If Case Select Function Coproc Redirected".split(" "),
);

const unknownCommand: ExecutedCommand = {
  words: [anyWords],
  named: [anyWords],
  assignments: [],
  redirections: [],
  isWritten: false,
};

/** More are no command of an agent's. */
const maxCommands = 500;
const maxDepth = 8;
/** So many words of one command are looked at, and of all commands together: what starts others is read in many ways. */
const maxWords = 1_000;
const maxWork = 100_000;
/** So many texts are only guessed to be read by a shell. */
const maxGuessedTexts = 16;

/** Everything that a shell may execute for a text; in doubt more. Never throws, and never takes long. */
export function allCommandsIn(text: string): ExecutedCommands {
  const reading = new Reading();
  reading.text(text, 0);
  const { commands, guesses, isWhole, isPlain } = reading;
  return { commands, guesses: [...guesses, ...guessedIn(reading.guessedTexts)], isWhole, isPlain };
}

/** What is not known in a guess is no guess. */
function guessedIn(texts: ReadonlySet<string>): (readonly ShellWord[])[] {
  return [...texts].slice(0, maxGuessedTexts).flatMap((text) => {
    const reading = new Reading();
    reading.text(text, 1);
    const known = reading.commands.filter((command) => command !== unknownCommand);
    return [...known.map(({ words }) => words), ...reading.guesses];
  });
}

class Reading {
  readonly commands: ExecutedCommand[] = [];
  readonly guesses: (readonly ShellWord[])[] = [];
  readonly guessedTexts = new Set<string>();
  readonly #aliases = new Map<string, string>();
  readonly #seen = new Set<string>();
  isWhole = true;
  isPlain = true;
  #work = 0;
  #guessed = 0;

  text(text: string, depth: number): void {
    if (this.#seen.has(text)) return;
    this.#seen.add(text);
    const script = depth > maxDepth ? undefined : parseShell(text);
    if (!script) return this.#unknown();
    if (depth === 0) this.isPlain = !script.nodes.some(({ type }) => compoundNodes.has(type));
    const inputOf = inputsIn(script.nodes);
    const found = script.nodes.filter((node): node is Command => node.type === "Command");
    for (const node of found) this.#learnAlias(readCommand(node).words);
    for (const node of found) {
      const { words, assignments, redirections } = readCommand(node);
      this.#command({ words, assignments, redirections, isWritten: depth === 0 }, inputOf(node, redirections), depth);
    }
    for (const node of script.nodes) if (node.type === "Redirected") this.#around(node, depth);
  }

  /** What a group, a loop or a subshell reads and writes as a whole. */
  #around({ redirects }: Redirected, depth: number): void {
    const redirections = redirects.map(readRedirection);
    this.#add({ words: [], named: [], assignments: [], redirections, isWritten: depth === 0 });
  }

  /** Something is executed, and it cannot be told what. */
  #unknown(): void {
    // Whatever else is left out: something may be executed that is not seen.
    if (this.isWhole) this.commands.push(unknownCommand);
    this.isWhole = false;
  }

  #add(command: ExecutedCommand): void {
    this.#work += command.words.length;
    if (this.commands.length < maxCommands && this.#work <= maxWork) this.commands.push(command);
    else this.#unknown();
  }

  #command(given: Omit<ExecutedCommand, "named">, input: Input, depth: number): void {
    if (this.commands.length >= maxCommands || this.#work > maxWork || depth > maxDepth) return this.#unknown();
    const words = given.words.length > maxWords ? [...given.words.slice(0, maxWords), anyWords] : given.words;
    const command = { ...given, words, named: words };
    const [first, ...rest] = words;
    // Assignments and redirections alone.
    if (first === undefined) return this.#add(command);
    const byVariables = startedByVariables(words, given.assignments);
    this.#add({ ...command, words: isKnown(first) ? [programOf(first), ...rest] : words });
    const alias = isKnown(first) ? this.#aliases.get(first) : undefined;
    if (alias !== undefined) this.#expand(first as string, [alias, ...rest.map(asText)].join(" "), depth);
    if (isKnown(first)) this.#guess(programOf(first), rest, input);
    for (const started of [startedBy(words, input), startedByCode(words, input), byVariables]) {
      for (const each of started.commands) {
        this.#command({ ...command, words: each, isWritten: false }, input, depth + 1);
      }
      for (const each of started.texts) if (each === undefined) this.#unknown();
      for (const each of started.texts) if (each !== undefined) this.text(each, depth + 1);
    }
  }

  #guess(program: string, rest: readonly ShellWord[], input: Input): void {
    const { commands, texts } = guessesOf(program, rest, input);
    for (const each of commands) {
      this.#guessed += each.length;
      if (this.#guessed > maxWork) break;
      this.guesses.push(each);
      // Behind such a program may stand a shell.
      texts.push(...startedBy(each, input).texts.flatMap((text) => text ?? []));
    }
    for (const each of texts) this.guessedTexts.add(each);
  }

  /** As in a shell, an alias is not looked for in itself. */
  #expand(name: string, text: string, depth: number): void {
    const alias = this.#aliases.get(name)!;
    this.#aliases.delete(name);
    this.text(text, depth + 1);
    this.#aliases.set(name, alias);
  }

  #learnAlias([first, ...rest]: readonly ShellWord[]): void {
    const [option, path, name] = rest;
    if (first === "hash" && option === "-p" && isKnown(path) && isKnown(name)) this.#aliases.set(name, path);
    if (first !== "alias") return;
    for (const word of rest) {
      const alias = isKnown(word) ? /^([^=]+)=([\s\S]*)$/.exec(word) : null;
      if (alias) this.#aliases.set(alias[1]!, alias[2]!);
    }
  }
}

function asText(word: ShellWord): string {
  return isKnown(word) ? shellWord(word) : "$unknown";
}

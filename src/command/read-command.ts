import type { Assignment, Command, HereDoc, Redirection } from "unbash";
import { anyWords, wordOf, type ShellWord } from "./words.ts";

export interface ShellAssignment {
  name: string;
  value: ShellWord;
}

export interface ShellRedirection {
  operator: string;
  /** The file, or the text of a here-document or here-string. */
  target: ShellWord;
}

/** A simple command: its words, and what stands around them. */
export interface SimpleCommand {
  words: ShellWord[];
  assignments: ShellAssignment[];
  redirections: ShellRedirection[];
}

export function readCommand({ name, prefix, args, redirects }: Command): SimpleCommand {
  const assignments = prefix.flatMap((each) => (each.type === "Assignment" ? [readAssignment(each)] : []));
  const rest = args.map((each) => (each.type === "Assignment" ? assignmentWord(each) : wordOf(each)));
  return {
    words: name ? [wordOf(name), ...rest] : [],
    assignments,
    redirections: redirects.map(readRedirection),
  };
}

function readAssignment({ name, value }: Assignment): ShellAssignment {
  return { name, value: value.type === "Word" ? wordOf(value) : anyWords };
}

/** An assignment behind the name of a command is a word of it: `export A=1`, `env A=1`, `make A=1`. */
function assignmentWord(assignment: Assignment): ShellWord {
  const { name, value } = readAssignment(assignment);
  return typeof value === "string" ? `${name}=${value}` : value;
}

export function readRedirection(redirection: Redirection): ShellRedirection {
  const { operator } = redirection;
  if (redirection.type === "HereDoc") return { operator, target: bodyOf(redirection) };
  return { operator, target: redirection.target ? wordOf(redirection.target) : anyWords };
}

function bodyOf({ body }: HereDoc): ShellWord {
  const isPlain = (body.parts ?? []).every(({ type }) => type === "Literal");
  return isPlain ? body.text : anyWords;
}

import type { Lexer } from "./lexer.ts";
import type { Refusal } from "./refusal.ts";

/** Variables whose content some shell runs as code. */
const CODE = new Set(["BASH_ALIASES", "BASH_CMDS", "BASH_ENV", "ENV", "PROMPT_COMMAND", "PS0", "PS1", "PS2", "PS4"]);

/** Variables that bash itself has made numbers. */
const NUMBERS = new Set(["HISTCMD", "LINENO", "OPTIND", "RANDOM", "SECONDS", "SRANDOM"]);

const code = (name: string): Refusal => ({
  where: `in ${name}, whose content the shell may run`,
  hint: (source) => `Use a variable of your own: x=${source}.`,
});
const number = (name: string): Refusal => ({
  where: `in ${name}, which bash evaluates as arithmetic or as a name`,
  hint: (source) => `Use a variable that is not declared so: x=${source}.`,
});
const array = (name: string): Refusal => ({
  where: `in a declaration of the array ${name}, which bash evaluates as a list`,
  hint: (source) => `Assign it without declaring: ${name}=( ${source} ).`,
});

/** Refuses assignments of holes to names that the shell evaluates, wherever in the script they are declared so. */
export function checkAssignments(lexer: Lexer): void {
  for (const { name, declared, holes } of lexer.assignments) {
    const kind = lexer.evaluated.get(name);
    if (CODE.has(name)) lexer.refuse(holes, code(name));
    else if (NUMBERS.has(name) || kind === "number") lexer.refuse(holes, number(name));
    else if (kind === "array" && declared) lexer.refuse(holes, array(name));
  }
}

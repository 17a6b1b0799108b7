import type { Lexer } from "./lexer.ts";
import type { HoleRefusal } from "./refusal.ts";

/** Variables whose content some shell runs as code. */
const CODE_VARIABLES = new Set("BASH_ALIASES BASH_CMDS BASH_ENV ENV PROMPT_COMMAND PS0 PS1 PS2 PS4".split(" "));

/** Variables that bash itself has made numbers. */
const NUMBER_VARIABLES = new Set(["HISTCMD", "LINENO", "OPTIND", "RANDOM", "SECONDS", "SRANDOM"]);

const codeRefusal = (name: string): HoleRefusal => ({
  where: `in ${name}, whose content the shell may run`,
  hint: (source) => `Use a variable of your own: x=${source}.`,
});
const numberRefusal = (name: string): HoleRefusal => ({
  where: `in ${name}, which bash evaluates as arithmetic or as a name`,
  hint: (source) => `Use a variable that is not declared so: x=${source}.`,
});
const arrayRefusal = (name: string): HoleRefusal => ({
  where: `in a declaration of the array ${name}, which bash evaluates as a list`,
  hint: (source) => `Assign it without declaring: ${name}=( ${source} ).`,
});

/** Refuses assignments of holes to names that the shell evaluates, wherever in the script they are declared so. */
export function checkAssignments(lexer: Lexer): void {
  for (const { name, isDeclaration, holes } of lexer.assignments) {
    const kind = lexer.evaluatedNames.get(name);
    if (CODE_VARIABLES.has(name)) lexer.refuse(holes, codeRefusal(name));
    else if (NUMBER_VARIABLES.has(name) || kind === "number") lexer.refuse(holes, numberRefusal(name));
    else if (kind === "array" && isDeclaration) lexer.refuse(holes, arrayRefusal(name));
  }
}

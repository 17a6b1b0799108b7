import type { StdinUse } from "../reading.ts";
import type { Lexer } from "../lexer.ts";
import { type HoleRefusal, refusals } from "../refusal.ts";
import { DYNAMIC, type ShellWord } from "../word.ts";
import { hasHole, isStandardInput, refuseAll, type CommandRule } from "./rule.ts";
import { shellInput } from "./shells.ts";

/** Refuses every hole among the arguments. */
const refuseArguments =
  (refusal: HoleRefusal): CommandRule =>
  (lexer, words) => {
    refuseAll(lexer, words.slice(1), refusal);
    return undefined;
  };

const codeRule = (name: string, hint: (source: string) => string): [string, CommandRule] => [
  name,
  refuseArguments({ where: `in the arguments of ${name}, which reads them as code`, hint }),
];

const namesRefusal = (name: string): HoleRefusal => ({
  where: `in the arguments of ${name}, where bash runs commands that a value names`,
  hint: (source) =>
    `Write names and options in the script; a value belongs in x=${source}, or in the input: printf '%s\\n' ${source} | ….`,
});

const withFunction = (source: string) => `Use a function that takes it as an argument: f() { …; }; f ${source}.`;
const withoutEval = (source: string) =>
  `Write the command itself, with the value as one of its arguments: echo ${source}. A value that is code needs raw.`;

export const builtins = new Map<string, CommandRule>([
  ...["eval", "bind", "compgen", "complete", "enable", "fc", "watch", "parallel"].map((name) =>
    codeRule(name, withoutEval),
  ),
  codeRule("alias", withFunction),
  codeRule("hash", (source) => `Use command -v ${source}, which only looks for it.`),
  codeRule("trap", (source) => `Give it to a variable, x=${source}, and use that: trap 'rm -f "$x"' EXIT.`),
  ["read", checkRead],
  ...["mapfile", "readarray", "getopts", "unset", "wait"].map(
    (name) => [name, refuseArguments(namesRefusal(name))] as const,
  ),
  ["let", refuseArguments(refusals.arithmetic)],
  [".", checkSource],
  ["source", checkSource],
  ...["declare", "typeset", "local", "export", "readonly"].map((name) => [name, checkDeclaration] as const),
  ["printf", checkPrintf],
  ["test", checkTest],
  ["[", checkTest],
  ["set", checkSet],
]);

/** `read NAME…`: the names are the author's, the prompt and the delimiter are data. */
function checkRead(lexer: Lexer, words: ShellWord[]): StdinUse {
  const variables: string[] = [];
  for (let at = 1; at < words.length; at++) {
    const { text, holes } = words[at]!;
    lexer.refuse(holes, namesRefusal("read"));
    if (!/^-[A-Za-z]+$/.test(text)) variables.push(text);
    else if (/^-[ers]*[pdi]$/.test(text)) at++;
  }
  return { names: variables };
}

/** `. FILE ARGUMENTS`: the file is code, the arguments are data. */
function checkSource(lexer: Lexer, words: ShellWord[]): StdinUse | undefined {
  const file = words.find((word, index) => index > 0 && word.text !== "--");
  if (file === undefined) return undefined;
  lexer.refuse(file.holes, {
    where: "in the name of a file that the shell reads as commands",
    hint: (source) => `Write the file's name in the script, and pass the value as an argument: . ./file ${source}.`,
  });
  return isStandardInput(file) ? shellInput : undefined;
}

const evaluatedOption: HoleRefusal = {
  where: "in a declaration that bash evaluates as arithmetic, a list or a name",
  hint: (source) => `Assign it without the option: x=${source}; a list as x=( ${source} ).`,
};

/** `export X=value`: the value is data, unless an option makes bash evaluate it. */
function checkDeclaration(lexer: Lexer, words: ShellWord[]): undefined {
  let options = "";
  for (const word of words.slice(1)) {
    if (/^[-+]/.test(word.text)) {
      options += word.text;
      lexer.refuse(word.holes, refusals.variableName);
      continue;
    }
    const name = /^([A-Za-z_]\w*)(\+?=|$)/.exec(word.text)?.[1];
    const kind = /[in]/.test(options) ? "number" : /[aA]/.test(options) ? "array" : undefined;
    if (name === undefined) lexer.refuse(word.holes, refusals.variableName);
    else if (kind !== undefined) lexer.evaluatedNames.set(name, kind);
    if (!hasHole(word) || name === undefined) continue;
    if (kind === "number" || (kind === "array" && word.isArray !== true)) lexer.refuse(word.holes, evaluatedOption);
    lexer.assignments.push({ name, isDeclaration: word.isArray !== true, holes: word.holes });
  }
}

const formatRefusal: HoleRefusal = {
  where: "in the format of printf, where % and \\ are read as instructions",
  hint: (source) => `Use a format of your own: printf '%s\\n' ${source}.`,
};

/** Bash's printf can also assign, by `-v` or `%n`, and evaluates the name; so the format must be the author's. */
function checkPrintf(lexer: Lexer, words: ShellWord[]): undefined {
  let at = 1;
  let variable: ShellWord | undefined;
  for (; at < words.length && words[at]!.text.startsWith("-") && words[at]!.text !== "-"; at++) {
    const { text, holes } = words[at]!;
    if (text === "--") {
      at++;
      break;
    }
    lexer.refuse(holes, refusals.variableName);
    if (text === "-v" && words[++at] !== undefined) variable = words[at];
  }
  if (variable !== undefined) {
    lexer.refuse(variable.holes, refusals.variableName);
    for (const { holes } of words.slice(at))
      lexer.assignments.push({ name: variable.text, isDeclaration: false, holes });
  }
  if (hasHole(words[at])) lexer.refuse(words[at]!.holes, formatRefusal);
  else if (words[at]?.text.includes("%n") === true) refuseAll(lexer, words, refusals.variableName);
}

const operatorRefusal: HoleRefusal = {
  where: "where test may take it for an operator, and bash then evaluates what follows",
  hint: (source) => `Write the operator between the values: [ ${source} = … ], or [ -n ${source} ].`,
};

/** `[ -v NAME ]` evaluates the name in bash, and of two values side by side the first may be that operator. */
function checkTest(lexer: Lexer, words: ShellWord[]): undefined {
  for (let at = 2; at < words.length; at++) {
    const [before, word] = [words[at - 1]!, words[at]!];
    if (!hasHole(word)) continue;
    if (/^-[vR]$/.test(before.text)) lexer.refuse(word.holes, refusals.variableName);
    else if (hasHole(before) || before.text.startsWith(DYNAMIC)) refuseAll(lexer, [before, word], operatorRefusal);
  }
}

/** `set VALUE` may turn options on; behind `--` values are data. */
function checkSet(lexer: Lexer, words: ShellWord[]): undefined {
  const dashes = words.findIndex((word) => word.text === "--");
  refuseAll(lexer, words.slice(1, dashes === -1 ? undefined : dashes), {
    where: "where set may take it for an option",
    hint: (source) => `Write -- before the values: set -- ${source}.`,
  });
}

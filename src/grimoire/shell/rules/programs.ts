import type { Lexer } from "../lexer.ts";
import type { Refusal } from "../refusal.ts";
import { HOLE } from "../source.ts";
import type { Word } from "../word.ts";
import { isShell } from "./interpreters.ts";
import { hasHole, refuseAll, type Rule } from "./rule.ts";

/** Programs whose first operand is code, unless an option gave it. */
interface CodeFirst {
  /** Options whose value is code, or a file of code. */
  code: RegExp;
  /** Options whose value is data. */
  data: RegExp;
  hint: (source: string) => string;
}

const awk: CodeFirst = {
  code: /^(-[feilE]|--(file|source|include|load|exec))/,
  data: /^(-[Fv]|--(assign|field-separator))/,
  hint: (source) => `Pass it through the environment: x=${source} awk '{ … ENVIRON["x"] … }'.`,
};

const sed: CodeFirst = {
  code: /^(-[nErsuz]*[ef]|--(expression|file))/,
  data: /^(-[nErsuz]*l|--line-length)/,
  hint: (source) => `Use awk, where a value can be data: x=${source} awk '{ … ENVIRON["x"] … }'.`,
};

function codeFirst(name: string, { code, data, hint }: CodeFirst): [string, Rule] {
  const refusal: Refusal = { where: `in the code of ${name}, or where it is expected`, hint };
  return [name, (lexer, words) => checkCodeFirst(lexer, words, code, data, refusal)];
}

export const programs = new Map<string, Rule>([
  codeFirst("awk", awk),
  codeFirst("gawk", awk),
  codeFirst("mawk", awk),
  codeFirst("nawk", awk),
  codeFirst("sed", sed),
  ["ssh", checkSsh],
  ["su", checkCommandOption],
  ["runuser", checkCommandOption],
  ["script", checkCommandOption],
  ["flock", checkCommandOption],
  ["sg", checkCommandOption],
]);

function checkCodeFirst(lexer: Lexer, words: Word[], code: RegExp, data: RegExp, refusal: Refusal): undefined {
  let coded = false;
  for (let at = 1; at < words.length; at++) {
    const { text, holes } = words[at]!;
    if (text === "--") {
      if (!coded && hasHole(words[at + 1])) lexer.refuse(words[at + 1]!.holes, refusal);
      return;
    }
    const option = [code, data].map((pattern) => pattern.exec(text)?.[0]);
    const separate = option.includes(text);
    if (option[0] !== undefined) {
      coded = true;
      lexer.refuse(separate && hasHole(words[at + 1]) ? words[at + 1]!.holes : holes, refusal);
    } else if (option[1] === undefined) {
      if (!coded || text.startsWith("-")) lexer.refuse(holes, refusal);
      if (!text.startsWith("-")) return;
    }
    if (separate) at++;
  }
}

/** Options of ssh that take a value of their own. */
const SSH_VALUES = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOopQRSWw]$/;

const remote: Refusal = {
  where: "in the command of ssh, which the other machine's shell reads as code",
  hint: (source) => `Pass it through standard input: printf '%s\\n' ${source} | ssh HOST 'IFS= read -r x; … "$x" …'.`,
};
const host: Refusal = {
  where: "in an option of ssh, or where one may stand; some of those run commands",
  hint: (source) => `Write the options in the script, and -- before the host: ssh -- ${source}.`,
};

function checkSsh(lexer: Lexer, words: Word[]): Refusal | undefined {
  let at = 1;
  for (; at < words.length && words[at]!.text !== "--" && /^-./.test(words[at]!.text); at++) {
    const runs = /^-[a-zA-Z0-9]*[oF]/.test(words[at]!.text);
    if (runs) lexer.refuse(words[at]!.holes, host);
    if (!SSH_VALUES.test(words[at]!.text)) continue;
    at++;
    if (runs && hasHole(words[at])) lexer.refuse(words[at]!.holes, host);
  }
  const dashes = words[at]?.text === "--";
  if (dashes) at++;
  if (!dashes && words[at]?.text.startsWith(HOLE) === true) lexer.refuse(words[at]!.holes, host);
  const command = words.slice(at + 1);
  refuseAll(lexer, command, remote);
  return command.length === 0 || command.some(isShell) ? remote : undefined;
}

const shellCommand: Refusal = {
  where: "in a command that a shell reads as code",
  hint: (source) => `Pass it through standard input: printf '%s\\n' ${source} | su USER -c 'IFS= read -r x; … "$x" …'.`,
};

/** `su USER -c CODE` and the like; the option may stand anywhere. */
function checkCommandOption(lexer: Lexer, words: Word[]): undefined {
  for (let at = 1; at < words.length; at++) {
    const { text, holes } = words[at]!;
    if (!/^(-[A-Za-z]*c|--(command|session-command))/.test(text)) continue;
    lexer.refuse(holes, shellCommand);
    if (hasHole(words[at + 1])) lexer.refuse(words[at + 1]!.holes, shellCommand);
  }
}

import type { Lexer } from "../lexer.ts";
import type { HoleRefusal } from "../refusal.ts";
import { HOLE } from "../source.ts";
import type { ShellWord } from "../word.ts";
import { hasHole, refuseAll, type CommandRule } from "./rule.ts";
import { isShell } from "./shells.ts";

/** Programs whose first operand is code, unless an option gave it. */
interface CodeFirst {
  /** Options whose value is code, or a file of code. */
  code: RegExp;
  /** Options whose value is data. */
  data: RegExp;
  /** Whether options may stand behind operands. */
  allowsLateOptions?: true;
  hint: (source: string) => string;
}

const awk: CodeFirst = {
  code: /^(-[feilE]|--(file|source|include|load|exec))/,
  data: /^(-[Fv]|--(assign|field-separator))/,
  hint: (source) => `Pass it through the environment: x=${source} awk '{ … ENVIRON["x"] … }'.`,
};

const sed: CodeFirst = {
  code: /^(-[nErsuz]*[ef]|--(e[a-z]*|fi[a-z]*))/,
  data: /^(-[nErsuz]*l|--line-length)/,
  allowsLateOptions: true,
  hint: (source) => `Use awk, where a value can be data: x=${source} awk '{ … ENVIRON["x"] … }'.`,
};

const shellCommand: HoleRefusal = {
  where: "in a command that a shell reads as code",
  hint: (source) => `Pass it through standard input: printf '%s\\n' ${source} | su USER -c 'IFS= read -r x; … "$x" …'.`,
};
const commandOption: HoleRefusal = {
  where: "in an option whose value is run as a command",
  hint: (source) => `Give it to the environment, and use it there: export x=${source}; … 'command "$x"'.`,
};

const programOption: HoleRefusal = {
  where: "in an option that chooses a program to run",
  hint: (source) => `Write the option in the script, or choose with case ${source} in … esac.`,
};

function codeFirst(name: string, program: CodeFirst): [string, CommandRule] {
  const refusal: HoleRefusal = { where: `in the code of ${name}, or where it is expected`, hint: program.hint };
  return [name, (lexer, words) => checkCodeFirst(lexer, words, program, refusal)];
}

const checkShellCode = codeOption(/^(-[A-Za-z]*c|--(command|session-command))/, shellCommand, shellCommand);

export const programs = new Map<string, CommandRule>([
  ...["awk", "gawk", "mawk", "nawk"].map((name) => codeFirst(name, awk)),
  codeFirst("sed", sed),
  ["ssh", checkSsh],
  ...["su", "runuser", "script", "sg"].map((name) => [name, checkShellCode] as const),
  ["rsync", codeOption(/^(-[A-Za-z]*e|--rsh|--rsync-path)/, programOption)],
  ["scp", codeOption(/^-[A-Za-z0-9]*[oFSJ]/, programOption)],
  ["sftp", codeOption(/^-[A-Za-z0-9]*[oFSJ]/, programOption)],
  ["git", checkGit],
  ["deno", checkDeno],
]);

function checkCodeFirst(lexer: Lexer, words: ShellWord[], program: CodeFirst, refusal: HoleRefusal): undefined {
  let hasCode = false;
  for (let at = 1; at < words.length; at++) {
    const { text, holes } = words[at]!;
    if (text === "--") {
      if (!hasCode && hasHole(words[at + 1])) lexer.refuse(words[at + 1]!.holes, refusal);
      return;
    }
    const option = [program.code, program.data].map((pattern) => pattern.exec(text)?.[0]);
    const isSeparate = option.includes(text);
    if (option[0] !== undefined) {
      hasCode = true;
      lexer.refuse(isSeparate && hasHole(words[at + 1]) ? words[at + 1]!.holes : holes, refusal);
    } else if (option[1] === undefined && !isSuffix(words, at)) {
      const isOperand = !text.startsWith("-");
      if (!hasCode || !isOperand) lexer.refuse(holes, refusal);
      if (isOperand && program.allowsLateOptions !== true) return;
      hasCode ||= isOperand;
    }
    if (isSeparate) at++;
  }
}

/** `sed -i '' CODE`, `sed -i .bak CODE`: on macOS the word behind the option belongs to it. */
function isSuffix(words: ShellWord[], at: number): boolean {
  return /^-[nErsuz]*i$/.test(words[at - 1]!.text) && /^(\.\w*)?$/.test(words[at]!.text);
}

/** Options of ssh that take a value of their own. */
const SSH_VALUES = /^-[46AaCfGgKkMNnqsTtVvXxYy]*[BbcDEeFIiJLlmOopQRSWw]$/;

const remoteRefusal: HoleRefusal = {
  where: "in the command of ssh, which the other machine's shell reads as code",
  hint: (source) => `Pass it through standard input: printf '%s\\n' ${source} | ssh HOST 'IFS= read -r x; … "$x" …'.`,
};
const hostRefusal: HoleRefusal = {
  where: "in an option of ssh, or where one may stand; some of those run commands",
  hint: (source) => `Write the options in the script, and -- before the host: ssh -- ${source}.`,
};

function checkSsh(lexer: Lexer, words: ShellWord[]): HoleRefusal | undefined {
  let at = 1;
  for (; at < words.length && words[at]!.text !== "--" && /^-./.test(words[at]!.text); at++) {
    const mayRunCommand = /^-[a-zA-Z0-9]*[oF]/.test(words[at]!.text);
    if (mayRunCommand) lexer.refuse(words[at]!.holes, hostRefusal);
    if (!SSH_VALUES.test(words[at]!.text)) continue;
    at++;
    if (mayRunCommand && hasHole(words[at])) lexer.refuse(words[at]!.holes, hostRefusal);
  }
  const hasDashes = words[at]?.text === "--";
  if (hasDashes) at++;
  if (!hasDashes && words[at]?.text.startsWith(HOLE) === true) lexer.refuse(words[at]!.holes, hostRefusal);
  const command = words.slice(at + 1);
  refuseAll(lexer, command, remoteRefusal);
  return command.length === 0 || command.some(isShell) ? remoteRefusal : undefined;
}

/** Options whose value is a command, wherever they stand. `input`: why without one the program's input is code. */
function codeOption(option: RegExp, refusal: HoleRefusal, input?: HoleRefusal): CommandRule {
  return (lexer, words) => {
    let hasCode = false;
    for (let at = 1; at < words.length; at++) {
      const { text, holes } = words[at]!;
      if (!option.test(text)) continue;
      hasCode = true;
      lexer.refuse(holes, refusal);
      if (hasHole(words[at + 1])) lexer.refuse(words[at + 1]!.holes, refusal);
    }
    return hasCode ? undefined : input;
  };
}

const rebaseCode = codeOption(/^(-[A-Za-z]*x|--exec)/, commandOption);

/** `git rebase --exec CODE`, `git submodule foreach CODE`. */
function checkGit(lexer: Lexer, words: ShellWord[]): undefined {
  const command = words.findIndex(({ text }) => text === "rebase" || text === "submodule");
  if (command === -1) return;
  const rest = words.slice(command);
  if (rest[0]!.text === "rebase") rebaseCode(lexer, rest);
  else if (rest.some(({ text }) => text === "foreach")) refuseAll(lexer, rest, commandOption);
}

function checkDeno(lexer: Lexer, words: ShellWord[]): undefined {
  if (words[1]?.text !== "eval") return;
  refuseAll(lexer, words, {
    where: "in the code of deno",
    hint: (source) => `Write the code to a file, and pass the value behind it: deno run ./script.ts ${source}.`,
  });
}

import type { Lexer } from "../lexer.ts";
import type { HoleRefusal } from "../refusal.ts";
import { HOLE } from "../source.ts";
import type { ShellWord } from "../word.ts";
import { commandName, hasHole, isStandardInput, isUnquotedVariable, refuseAll } from "./rule.ts";

/** A program that takes code as an option, and how that code gets at an argument. */
interface Interpreter {
  code: RegExp;
  usage: string;
  /** Options known to take no value of their own behind them. */
  flags?: RegExp;
  /** The option that names a module, to which all that follows is an argument. */
  module?: RegExp;
  /** The option behind which the operands are files, not a script and its arguments. */
  files?: string;
}

const PYTHON = {
  code: /^-[A-Za-z]*c/,
  flags: /^(-[bBdEiIOPqsSuvx]+|-[XW].+|--)$/,
  module: /^-[bBdEiIOPqsSuvx]*m/,
};

/** Modules of Python that run what they are given. */
const RUNS_ARGUMENTS = new Set(["cProfile", "code", "doctest", "pdb", "profile", "runpy", "timeit", "trace"]);

const NODE_FLAGS =
  /^--($|no-[a-z-]+$|(check|enable-source-maps|expose-gc|inspect(-brk)?|test|test-only|watch|watch-preserve-output)$|(throw|trace)-(deprecation|exit|uncaught|warnings)$|experimental-(detect-module|json-modules|require-module|sqlite|strip-types|test-coverage|test-module-mocks|transform-types|vm-modules|wasm-modules)$)/;

const INTERPRETERS = new Map<string, Interpreter>([
  ["python", { ...PYTHON, usage: "python3 -c 'import sys; … sys.argv[1] …'" }],
  ["pypy", { ...PYTHON, usage: "pypy -c 'import sys; … sys.argv[1] …'" }],
  [
    "perl",
    {
      code: /^-(?![IMm])[A-Za-z0-9]*[eE]/,
      usage: "perl -e '… $ARGV[0] …' --",
      flags: /^(-[acnpstTwWl0-9]+|-[IMm].+|--)$/,
    },
  ],
  [
    "ruby",
    {
      code: /^-(?![Ir])[A-Za-z]*e/,
      usage: "ruby -e '… ARGV[0] …' --",
      flags: /^(-[acdlnpsSvw0-9]+|-[Ir].+|--)$/,
    },
  ],
  [
    "node",
    {
      code: /^(-[a-z]*[ep]|--eval|--print)/,
      usage: "node -e '… process.argv[1] …' --",
      flags: NODE_FLAGS,
      files: "--test",
    },
  ],
  ["bun", { code: /^(-[a-z]*[ep]|--eval|--print)/, usage: "bun -e '… process.argv[1] …' --" }],
  ["php", { code: /^-[A-Za-z]*[rBRE]/, usage: "php -r '… $argv[1] …' --" }],
  ["lua", { code: /^-e/, usage: "lua -e '… arg[1] …'" }],
  ["Rscript", { code: /^-e/, usage: "Rscript -e '… commandArgs(TRUE)[1] …'" }],
  ["julia", { code: /^(-[eE]|--eval|--print)/, usage: "julia -e '… ARGS[1] …'" }],
  ["osascript", { code: /^-e/, usage: "osascript -e 'on run argv' -e '… item 1 of argv …' -e 'end run'" }],
  ["pwsh", { code: /^-(c[a-z]*|e|ec|enc[a-z]*)$/i, usage: "pwsh -File ./script.ps1" }],
]);

export function isInterpreter(word: ShellWord): boolean {
  return INTERPRETERS.has(commandName(word));
}

/** Interpreters: every hole before the script's name or in code is refused. */
export function checkInterpreter(lexer: Lexer, words: ShellWord[]): HoleRefusal | undefined {
  const name = commandName(words[0]!);
  const interpreter = INTERPRETERS.get(name)!;
  const hint = (source: string) => `Pass it as an argument: ${interpreter.usage} ${source}.`;
  const refusal: HoleRefusal = { where: `in the code of ${name}, or where it expects an option or its script`, hint };
  const input: HoleRefusal = { where: `in text that ${name} reads as code`, hint };
  let hasCode = false;
  let mayHaveScript = false;
  let takesFiles = false;
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    const isOption = /^-./.test(word.text);
    if ((hasCode || takesFiles) && (!isOption || word.text === "--")) {
      if (!hasCode && word.text.startsWith(HOLE)) lexer.refuse(word.holes, filesRefusal(name, interpreter.files));
      return undefined;
    }
    lexer.refuse(word.holes, refusal);
    takesFiles ||= word.text === interpreter.files;
    const module = interpreter.module?.exec(word.text)?.[0];
    if (module !== undefined) return checkModule(lexer, words.slice(at), module, refusal);
    const code = interpreter.code.exec(word.text)?.[0];
    if (code !== undefined) {
      hasCode = true;
      if (code === word.text && hasHole(words[++at])) lexer.refuse(words[at]!.holes, refusal);
    } else if (word.text === "-" || isStandardInput(word)) return input;
    // What follows an option may be its value; behind anything else it is the script, and the rest is data.
    else if (!isOption && isUnquotedVariable(lexer, word)) mayHaveScript = true;
    else if (!isOption && !takesValue(interpreter, words[at - 1]!)) return undefined;
  }
  return hasCode || mayHaveScript ? undefined : input;
}

/** A value in front may be an option that loads code. */
function filesRefusal(name: string, option = ""): HoleRefusal {
  return {
    where: `where ${name} may take it for an option`,
    hint: (source) => `Write -- before the files: ${name} ${option} -- ${source}.`,
  };
}

/** `-m MODULE ARGUMENTS`, or `-mMODULE`. */
function checkModule(lexer: Lexer, words: ShellWord[], option: string, refusal: HoleRefusal): undefined {
  const isSeparate = words[0]!.text === option;
  const name = isSeparate ? words[1] : words[0];
  if (name === undefined) return;
  lexer.refuse(name.holes, refusal);
  const moduleName = isSeparate ? name.text : name.text.slice(option.length);
  if (RUNS_ARGUMENTS.has(moduleName) || isUnquotedVariable(lexer, name)) refuseAll(lexer, words, refusal);
}

function takesValue(interpreter: Interpreter, before: ShellWord): boolean {
  return /^-./.test(before.text) && !before.text.includes("=") && interpreter.flags?.test(before.text) !== true;
}

import type { Lexer } from "../lexer.ts";
import type { HoleRefusal } from "../refusal.ts";
import { DYNAMIC, type ShellWord } from "../word.ts";
import { commandName, hasHole, isList, isStandardInput, isUnquotedVariable, refuseAll } from "./rule.ts";

const SHELLS = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "mksh", "rbash", "yash", "posh", "fish"]);

export function isShell(word: ShellWord): boolean {
  return SHELLS.has(commandName(word));
}

const shellCode: HoleRefusal = {
  where: "in the code of sh -c, where the value would be read as commands",
  hint: (source) => `Pass it as an argument: sh -c '… "$1" …' sh ${source}.`,
};
const shellScript: HoleRefusal = {
  where: "where a shell expects an option or its script",
  hint: (source) => `Write the script's name, and pass the value behind it: sh ./script ${source}.`,
};
export const shellInput: HoleRefusal = {
  where: "in text that a shell reads as commands",
  hint: (source) =>
    `Use "$1" in the text, with its delimiter quoted, and pass the value as an argument: sh -s -- ${source} <<'EOF'.`,
};
const shellVariable: HoleRefusal = {
  where: "behind a variable that a shell may take for an option such as -c",
  hint: (source) => `Write -- and the script's name before the value: sh -- "$script" ${source}.`,
};

/** Shells: the code behind `-c`, or the script, or what they read. Words behind those are arguments, hence data. */
export function checkShell(lexer: Lexer, words: ShellWord[]): HoleRefusal | undefined {
  let hasCode = false;
  let readsInput = false;
  let hasDashes = false;
  let at = 1;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (text === "-" || text === "--") {
      hasDashes = true;
      at++;
      break;
    }
    if (!/^[-+]./.test(text)) break;
    lexer.refuse(words[at]!.holes, shellScript);
    if (/^-[A-Za-z]*c/.test(text)) hasCode = true;
    if (/^-[A-Za-z]*s/.test(text)) readsInput = true;
    if (/^[-+][A-Za-z]*[oO]$|^--(rcfile|init-file)$/.test(text)) {
      at++;
      if (hasHole(words[at])) lexer.refuse(words[at]!.holes, shellScript);
    }
  }
  const operand = words[at];
  // Without code behind it, -c gets that from xargs or the like.
  if (operand === undefined) return shellInput;
  if (readsInput && !hasCode) {
    if (!hasDashes) lexer.refuse(operand.holes, { ...shellScript, hint: dashesHint });
    return shellInput;
  }
  lexer.refuse(operand.holes, hasCode ? shellCode : shellScript);
  // It may turn out to be options or nothing, so that the code comes later.
  const mayBeSeveral = isUnquotedVariable(lexer, operand) || isList(lexer, operand);
  if (mayBeSeveral || (!hasCode && !hasDashes && mayBeOption(lexer, operand))) {
    refuseAll(lexer, words.slice(at), shellVariable);
  }
  return !hasCode && isStandardInput(operand) ? shellInput : undefined;
}

/** Whether the word begins with what only the shell knows, and is no path that ends in a name of the author's. */
function mayBeOption(lexer: Lexer, { text, start, end }: ShellWord): boolean {
  return text.startsWith(DYNAMIC) && !/\/[\w.-]+"?$/.test(lexer.text.slice(start, end));
}

const dashesHint = (source: string) => `Write -- before the values: sh -s -- ${source}.`;

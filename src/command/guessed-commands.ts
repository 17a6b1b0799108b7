import { isKnown, type ShellWord } from "./words.ts";
import type { Input } from "./started.ts";
import { programOf } from "./wrappers.ts";

/** What these are told are texts and names, and they start nothing. */
const quiet = new Set(
  (
    "echo printf print cat tac tee less more head tail grep egrep fgrep rg ag ack ls stat wc diff cmp file test [ true false : cd pushd popd " +
    "which type whereis man apropos tldr help info mkdir rmdir touch rm cp mv ln chmod chown basename dirname realpath readlink cut tr uniq " +
    "jq yq git read export local declare readonly unset set shift return exit kill sleep wait"
  ).split(" "),
);

/** Programs with a language of their own, in which commands stand as they are: `spawn git push`, `.system git push`, `qw(git push)`. */
const scripted =
  /^(?:expect|tclsh|perl|ruby|irb|rake|rails|lua|luajit|julia|guile|emacs|elixir|erl|groovy|scala|jshell|octave|gnuplot|sqlite3|psql|mysql|mariadb|gdb|lldb|dc|m4|just|task|nvim)[\d.]*$/;

const commandOption = /^(?:-[a-zA-Z]*[ceExo]|-{1,2}(?:ex|cmd|command|exec|eval|run|shell|call|wrap)|\/[cC])$/;
const maxWords = 40;
const maxChars = 4_096;

export interface Guesses {
  /** The words behind a program may be a command: `chronic git push`. */
  commands: (readonly ShellWord[])[];
  /** These may be texts for a shell. */
  texts: string[];
}

/** What a program that no table has may start: any of them may be made to start others. */
export function guessesOf(program: string, rest: readonly ShellWord[], input: Input): Guesses {
  if (quiet.has(program)) return { commands: [], texts: [] };
  const commands = rest
    .slice(0, maxWords)
    .flatMap((word, at) => (isName(word) ? [[programOf(word), ...rest.slice(at + 1)]] : []));
  const given = rest.filter((word, at): word is string => isText(word) && isCommandOption(rest[at - 1]));
  const escaped = rest.filter((word): word is string => isText(word) && /^[\\:]*!/.test(word));
  const code = scripted.test(program) ? [...rest.filter(isText), ...input.texts].flatMap(readings) : [];
  const texts = [...given, ...escaped, ...code].map((text) => text.replace(/^[\\:]*!+/, ""));
  return { commands, texts: [...new Set(texts)].filter(({ length }) => length <= maxChars) };
}

function isName(word: ShellWord): word is string {
  return isKnown(word) && /^[\w./+][\w./+-]*$/.test(word);
}

function isText(word: ShellWord): word is string {
  return isKnown(word) && /\s/.test(word);
}

function isCommandOption(word: ShellWord | undefined): boolean {
  return isKnown(word) && commandOption.test(word);
}

/** Code as it is, and without its brackets and commas, each of which may end a command or part its words. */
function readings(code: string): string[] {
  const parted = code
    .replaceAll(/\bq[qwx]?\/([^/\n]*)\//g, "\n$1\n")
    .replaceAll(/\bqq?\(([^()\n]*)\)/g, " $1 ")
    .replaceAll(/[()[\]{}`"']+/g, "\n");
  return [code, parted, parted.replaceAll(",", " ")];
}

import { anyBelow, anyText } from "../command/word-shapes.ts";
import { isKnown, type ShellWord } from "../command/words.ts";

const readers = /^(?:cat|less|more|head|tail|grep|rg|ls|stat|wc|diff|file|echo|printf|test|\[|cd|pushd|true|:)$/;
const readingGit =
  /^(?:status|log|diff|show|blame|grep|ls-files|ls-tree|rev-parse|add|commit|branch|describe|cat-file)$/;

/** Whether a command writes to none of the files that its words name. Of git only what surely changes no file of a checkout. */
export function isReader(words: readonly ShellWord[]): boolean {
  const [program, ...rest] = words;
  if (!isKnown(program)) return false;
  if (program !== "git") return readers.test(program);
  const [verb, ...more] = rest[0] === "--no-pager" ? rest.slice(1) : rest;
  // What is not known may be an option.
  const isWriting = more.some((word) => !isKnown(word) || /^(?:--output|-[oO])/.test(word));
  return isKnown(verb) && readingGit.test(verb) && (!isWriting || verb === "commit");
}

const talkers = /^(?:echo|printf|cd|pushd|exit|return|export|local|declare|readonly|test|\[|true|:|sleep|kill)$/;

/** Whether a word that is not known names no file to its program: `echo $X`, `git commit -m "$X"`. */
export function isText(words: readonly ShellWord[], at: number): boolean {
  const [program, verb] = words;
  if (isKnown(words[at]) || at === 0 || !isKnown(program)) return false;
  if (talkers.test(program)) return true;
  const before = words[at - 1];
  const isMessage = isKnown(before) && /^(?:-[a-z]*m|--message)$/.test(before);
  return program === "git" && (verb === "commit" || verb === "tag") && isMessage && isOne(words[at]);
}

function isOne(word: ShellWord | undefined): boolean {
  return word !== undefined && !isKnown(word) && word.unknown === "one";
}

/** What a command writes beside the files that it names: those of a patch, or all below a folder that it restores or removes. */
export function writtenBeside([program, ...rest]: readonly ShellWord[]): string[] {
  if (program === "patch") return [anyText];
  const known = rest.filter(isKnown);
  const operands = known.filter((word) => !word.startsWith("-"));
  if (program === "rm") return known.some((word) => /^-\w*r|^--recursive/i.test(word)) ? operands.map(allBelow) : [];
  if (program !== "git") return [];
  if (operands.some((word) => /^(?:apply|am)$/.test(word))) return [anyText];
  if (operands.some((word) => /^(?:restore|rm|clean)$/.test(word))) return operands.map(allBelow);
  // Other words of it may be the names of branches.
  const paths = known.includes("--")
    ? known.slice(known.indexOf("--") + 1)
    : operands.filter((word) => word.startsWith("."));
  return operands.includes("checkout") ? paths.map(allBelow) : [];
}

function allBelow(folder: string): string {
  return `${folder}/${anyBelow}`;
}

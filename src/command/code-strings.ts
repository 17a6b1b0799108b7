import { isKnown, type ShellWord } from "./words.ts";
import { isStdin, type Input, type Started } from "./started.ts";
import { programOf } from "./wrappers.ts";

/** Programs that take a piece of code on their command line, or read it. */
const interpreter =
  /^(?:python|pypy|node|nodejs|tsx|ts-node|deno|bun|perl|ruby|php|lua|elixir|osascript|g?awk|mawk|Rscript|tclsh|expect|emacs|ghc|runghc)[\d.]*$/;
/** What these read is no code. */
const filter = /awk$/;
const maxStrings = 50;

/**
 * What code on a command line or in a here-document may start, as far as its strings tell: each may be a text for a shell, and several that follow each
 * other may be the words of one command.
 */
export function startedByCode(words: readonly ShellWord[], input: Input): Started {
  const [first, ...rest] = words;
  if (!isKnown(first) || !interpreter.test(programOf(first))) return { commands: [], texts: [] };
  // But for a program that is read from stdin.
  const isFilter = filter.test(programOf(first)) && !rest.some((word, at) => rest[at - 1] === "-f" && isStdin(word));
  const code = [...rest.filter(isKnown), ...(isFilter ? [] : input.texts)].filter((word) => /["'`]/.test(word));
  const strings = code.flatMap((text) => [...text.matchAll(/"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`/g)]);
  const texts = strings.slice(0, maxStrings).map(([, a, b, c]) => a ?? b ?? c ?? "");
  const hidden = !isFilter && input.isUnknown && isReadingCode(rest) ? [undefined] : [];
  return {
    commands: texts.map((_, at) => texts.slice(at)),
    texts: [...texts.filter((text) => /\s/.test(text)), ...hidden],
  };
}

/** `python3`, `python3 -u -`: without a file and without code among its words, a program reads its code. */
function isReadingCode(rest: readonly ShellWord[]): boolean {
  return (
    rest.some(isStdin) || rest.every((word) => isKnown(word) && word.startsWith("-") && !word.startsWith("--eval="))
  );
}

import { anyText } from "../command/word-shapes.ts";
import { isKnown, type ShellWord } from "../command/words.ts";
import type { ReadCall } from "./call.ts";
import { fullShape } from "./paths.ts";

const maxFolders = 8;

/** Where paths of a call may begin: its folder, and each that its commands may go to. One that is not known is any text. */
export function foldersOf({ folder, home, executed }: ReadCall): string[] {
  const folders = new Set([folder]);
  for (const target of (executed?.commands ?? []).flatMap(({ words }) => targetsIn(words))) {
    const before = [...folders];
    for (const from of before) folders.add(fullShape(target, from, home));
    if (folders.size > maxFolders) return [folder, anyText];
  }
  return [...folders];
}

const moving = /^(?:cd|pushd|chdir|z)$/;
const folderOption = /^(?:-C|--chdir|--directory|--cwd)$/;
const gluedOption = /^(?:--(?:chdir|directory|cwd)=|-C(?=.))/;

/** `cd x`, and programs that are told where to work: `git -C x`, `env --chdir=x`. */
function targetsIn(words: readonly ShellWord[]): readonly string[] {
  const [program, ...rest] = words;
  if (isKnown(program) && moving.test(program)) {
    const named = rest.filter((word) => !isKnown(word) || word === "-" || !/^[-+]/.test(word));
    return named.length === 0 ? ["~"] : named.flatMap((word) => (word === "-" ? [anyText] : shapesIn(word)));
  }
  return rest.flatMap((word, at) => {
    const before = rest[at - 1];
    if (isKnown(before) && folderOption.test(before)) return shapesIn(word);
    return isKnown(word) && gluedOption.test(word) ? [word.replace(gluedOption, "")] : [];
  });
}

function shapesIn(word: ShellWord): readonly string[] {
  return isKnown(word) ? [word] : (word.shapes ?? [anyText]);
}

import type { ExecutedCommand } from "../command/all-commands.ts";
import { anyText } from "../command/word-shapes.ts";
import { isKnown, type ShellWord } from "../command/words.ts";
import type { ReadCall } from "./call.ts";
import { foldersOf } from "./folders.ts";
import { fullPath, fullShape, matchesPath, mayMatchPath } from "./paths.ts";
import { isReader, isText, writtenBeside } from "./readers.ts";

export type Match = "yes" | "maybe" | "no";

const maxChars = 4_096;
/** Longer shapes, and more of them or of paths, are not looked at, and taken for unknown. */
const maxShapeChars = 256;
const maxShapes = 1_000;
const maxPaths = 20_000;
const isShape = /[\0-\x02]/;

/** Whether a pattern means one of these, from any folder that a command goes to. Shapes among them only may be meant. */
export function pathMatch(pattern: string, paths: readonly string[], call: ReadCall): Match {
  const folders = foldersOf(call);
  const shapes = folders.some((folder) => isShape.test(folder)) ? paths : paths.filter((path) => isShape.test(path));
  if (paths.length * folders.length > maxPaths || shapes.length * folders.length > maxShapes) return "maybe";
  let match: Match = "no";
  for (const path of paths) {
    for (const folder of /^[~/]/.test(path) ? folders.slice(0, 1) : folders) {
      const found = oneMatch(pattern, path, folder, call);
      if (found === "yes") return "yes";
      if (found === "maybe") match = "maybe";
    }
  }
  return match;
}

function oneMatch(pattern: string, path: string, folder: string, { home, tops, realPath }: ReadCall): Match {
  if (isShape.test(path) || isShape.test(folder)) {
    const shape = fullShape(path, folder, home);
    return tops.some((top) => mayMatchPath(pattern, shape, top, home)) ? "maybe" : "no";
  }
  const full = fullPath(path, folder, home);
  const isMeant = [full, realPath(full)].some((each) => tops.some((top) => matchesPath(pattern, each, top, home)));
  return isMeant ? "yes" : "no";
}

/** Words of a command may be paths, also behind `=` or `:` or glued to an option. */
export function namedPaths({ paths, executed }: ReadCall): string[] {
  return [...paths, ...pathsIn(executed?.commands ?? [])];
}

/** What redirections write; which of its words a program writes to is not known, so that those count as well. */
export function writtenPaths({ paths, executed }: ReadCall): string[] {
  const commands = executed?.commands ?? [];
  const writing = commands.filter(({ words }) => !isReader(words)).map((each) => ({ ...each, redirections: [] }));
  const targets = commands.map(({ redirections }) => ({
    words: [],
    assignments: [],
    redirections: redirections.filter(({ operator }) => operator.includes(">")),
  }));
  const beside = writing.flatMap(({ words }) => writtenBeside(words));
  return [...paths, ...pathsIn([...targets, ...writing]), ...new Set(beside)];
}

function pathsIn(commands: readonly Omit<ExecutedCommand, "isWritten" | "named">[]): string[] {
  const words = commands.flatMap((command) => [
    ...command.words.flatMap((word, at) => (isText(command.words, at) ? [] : shapesIn(word))),
    // What a variable is set to counts where it is used.
    ...command.assignments.flatMap(({ value }) => (isKnown(value) ? [value] : [])),
    ...command.redirections.flatMap(({ target }) => shapesIn(target)),
  ]);
  const parts = [...new Set(words)].flatMap((word) => {
    if (word.length > maxShapeChars && isShape.test(word)) return [anyText];
    if (word.length > maxChars) return [];
    return [word, word.replace(/^-{1,2}[A-Za-z-]*=?/, ""), ...word.split(/[=:@,]/)];
  });
  return [...new Set(parts.filter((part) => part !== ""))];
}

function shapesIn(word: ShellWord): readonly string[] {
  return isKnown(word) ? [word] : (word.shapes ?? [anyText]);
}

import { ClewError } from "../../../../contract/errors.ts";
import type { GitCalls } from "../../git-calls.ts";
import { run, outputOf } from "../plumbing/ask.ts";
import { withPathFile } from "../plumbing/path-file.ts";
import { shown, toBytePath, type BytePath } from "../plumbing/paths.ts";

/** Systems take two megabytes of arguments and environment, or a quarter of the stack. */
const maxArgumentBytes = 256 * 1024;

/**
 * Has git write files as its index has them; throws when it cannot. They are called by their names, because `git restore` compares every pattern
 * with every path, which takes minutes for some ten thousand; only names that are no text have to be given that way.
 */
export async function restoreFiles(git: GitCalls, folder: string, paths: BytePath[]): Promise<void> {
  // Attributes come first: git looks at them to write the others.
  const [attributes, others] = split(paths, (path) => /(^|\/)\.gitattributes$/.test(path));
  for (const part of [attributes, others]) {
    const [named, odd] = split(part, (path) => toBytePath(shown(path)) === path);
    for (const names of portions(named.map(shown))) {
      await write(git, folder, ["checkout-index", "--index", "--force", "--quiet", "--", ...names]);
    }
    if (odd.length > 0) {
      await withPathFile(odd, (from) => write(git, folder, ["--literal-pathspecs", "restore", "--worktree", ...from]));
    }
  }
}

async function write(git: GitCalls, folder: string, args: string[]): Promise<void> {
  const end = await run(git, folder, args);
  if (end.code === 0) return;
  throw new ClewError(
    "not_possible_now",
    `git could not bring back files in ${folder}: ${outputOf(end)}`,
    "git status there tells more; resume the run when what is in the way is gone",
  );
}

function split<T>(all: T[], belongs: (each: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((each) => !belongs(each))];
}

/** At least one name each, so that nothing is left out. */
function portions(names: string[]): string[][] {
  const found: string[][] = [];
  let bytes = Infinity;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 1;
    if (bytes > maxArgumentBytes) {
      found.push([]);
      bytes = Buffer.byteLength(name) + 1;
    }
    found.at(-1)!.push(name);
  }
  return found;
}

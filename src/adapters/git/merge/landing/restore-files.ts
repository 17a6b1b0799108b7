import { ClewError } from "../../../../contract/errors.ts";
import type { GitCalls } from "../../git-calls.ts";
import { runUserGit, printedBy } from "../plumbing/ask.ts";
import { withPathFile } from "../plumbing/path-file.ts";
import { displayPath, toBytePath, type BytePath } from "../plumbing/paths.ts";

/** Systems take two megabytes of arguments and environment, or a quarter of the stack. */
const maxArgumentBytes = 256 * 1024;

/**
 * Has git write files as its index has them; throws when it cannot. Names are passed to `checkout-index`, because
 * `git restore` compares every pattern with every path, which takes minutes for ten thousand. It gets only names that are
 * no text.
 */
export async function restoreFiles(git: GitCalls, folder: string, paths: BytePath[]): Promise<void> {
  // Attributes come first: git looks at them to write the others.
  const [attributes, others] = partition(paths, (path) => /(^|\/)\.gitattributes$/.test(path));
  for (const part of [attributes, others]) {
    const [textPaths, bytePaths] = partition(part, (path) => toBytePath(displayPath(path)) === path);
    for (const names of batchesOf(textPaths.map(displayPath))) {
      await runOrThrow(git, folder, ["checkout-index", "--index", "--force", "--quiet", "--", ...names]);
    }
    if (bytePaths.length === 0) continue;
    const restore = ["--literal-pathspecs", "restore", "--worktree"];
    await withPathFile(bytePaths, (pathFlags) => runOrThrow(git, folder, [...restore, ...pathFlags]));
  }
}

async function runOrThrow(git: GitCalls, folder: string, args: string[]): Promise<void> {
  const result = await runUserGit(git, folder, args);
  if (result.code === 0) return;
  throw new ClewError(
    "not_possible_now",
    `git could not bring back files in ${folder}: ${printedBy(result)}`,
    "git status there tells more; resume the run when what is in the way is gone",
  );
}

function partition<T>(all: T[], belongs: (each: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((each) => !belongs(each))];
}

/** Splits names by `maxArgumentBytes`, with at least one name in each batch. */
function batchesOf(names: string[]): string[][] {
  const batches: string[][] = [];
  let bytes = Infinity;
  for (const name of names) {
    bytes += Buffer.byteLength(name) + 1;
    if (bytes > maxArgumentBytes) {
      batches.push([]);
      bytes = Buffer.byteLength(name) + 1;
    }
    batches.at(-1)!.push(name);
  }
  return batches;
}

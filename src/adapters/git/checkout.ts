import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import { readRegular } from "../files/regular-file.ts";
import { attempt } from "../../text/attempt.ts";

/** A folder with files of a repository in it. */
export interface Checkout {
  folder: string;
  /** Its own git folder, by its real name: that of the repository, or the one that git keeps for a linked worktree. */
  gitDir: string;
}

/** The checkout whose top is this folder. `.git` is a folder, a link to one, or a file that names one. */
export function checkoutIn(folder: string): Checkout | undefined {
  const dotGit = join(folder, ".git");
  const stats = statSync(dotGit, { throwIfNoEntry: false });
  if (stats?.isDirectory() && existsSync(join(dotGit, "HEAD"))) return { folder, gitDir: realpathSync(dotGit) };
  if (!stats?.isFile()) return undefined;
  const target = /^gitdir:\s*(.+)$/s.exec(readTrimmed(dotGit) ?? "")?.[1];
  const gitDir = target === undefined ? undefined : resolve(folder, target);
  if (gitDir !== undefined && existsSync(join(gitDir, "HEAD"))) return { folder, gitDir: realpathSync(gitDir) };
  throw new ClewError("not_a_repository", `${dotGit} does not say where its repository is`, "git status tells more");
}

/** The checkout that a folder stands in; undefined when there is none. */
export function checkoutAround(from: string): Checkout | undefined {
  for (let folder = realpathSync(from); ; folder = dirname(folder)) {
    const checkout = checkoutIn(folder);
    if (checkout || folder === dirname(folder)) return checkout;
  }
}

/** The folder that all checkouts of a repository share. */
export function commonDirOf(gitDir: string): string {
  const common = readTrimmed(join(gitDir, "commondir"));
  return common === undefined ? gitDir : realpathSync(resolve(gitDir, common));
}

/** What a short file says; undefined when it cannot be read. */
export function readTrimmed(path: string): string | undefined {
  return attempt(() => readRegular(path).toString("utf8").trim(), undefined);
}

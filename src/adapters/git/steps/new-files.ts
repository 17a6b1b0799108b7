import { copyFileSync, lstatSync, mkdtempSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { explainErrors } from "../../files/failure.ts";
import { splitFields } from "../split-fields.ts";
import type { GitCalls } from "../git-calls.ts";
import { readNote } from "../worktrees/note-file.ts";

type GitVariables = Record<string, string>;

const announceTries = 3;

/**
 * Lets `work` ask git about a worktree as if its new files had been announced with `git add --intent-to-add`. They are in
 * an index aside, which `env` names: the worktree's own stays as it is. What Clew copied into the worktree is not new.
 */
export async function withNewFiles<T>(
  git: GitCalls,
  folder: string,
  work: (env: GitVariables, names: string[]) => Promise<T>,
): Promise<T> {
  const listing = await git.plain(folder, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const gitFolder = (await git.plain(folder, ["rev-parse", "--absolute-git-dir"])).stdout.toString("utf8").trimEnd();
  const copied = new Set(readNote(gitFolder)?.copied);
  // A name that ends in a slash is a repository of its own.
  const names = splitFields(listing.stdout).filter((name) => !name.endsWith("/") && !copied.has(name));
  if (names.length === 0) return work({}, names);
  const tempFolder = explainErrors(tmpdir(), () => mkdtempSync(join(tmpdir(), "clew-diff-")));
  try {
    const index = join(tempFolder, "index");
    copyIndex(join(gitFolder, "index"), index);
    const env = { GIT_INDEX_FILE: index };
    return await work((await announce(git, folder, env, names)) ? env : {}, names);
  } finally {
    rmSync(tempFolder, { recursive: true, force: true });
  }
}

/** Whether git took the names that are still there. Files come and go while a run works, so that it is tried again. */
async function announce(git: GitCalls, folder: string, env: GitVariables, names: string[]): Promise<boolean> {
  const add = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
  for (let triesLeft = announceTries; triesLeft > 0; triesLeft--) {
    const existing = names.filter((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined);
    const { code } = await git.plain(folder, add, { env, stdin: existing.join("\0") });
    if (code === 0) return true;
  }
  return false;
}

/** With the time of the original or an earlier one: by it, git tells which files it has to compare letter by letter. */
function copyIndex(from: string, to: string): void {
  const stats = statSync(from, { throwIfNoEntry: false });
  if (!stats) return;
  explainErrors(to, () => copyFileSync(from, to));
  const seconds = Math.floor(stats.mtimeMs) / 1000;
  utimesSync(to, seconds, seconds);
}

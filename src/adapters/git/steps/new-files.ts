import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { GitCalls } from "../git-calls.ts";
import { readNote } from "../worktrees/note-file.ts";

/** What git's environment needs to see files that are in no commit and in no index yet. */
type WithNewFiles = Record<string, string>;

/**
 * Lets `work` ask git about a worktree as if its new files had been announced with `git add --intent-to-add`, in an index
 * aside: the worktree's own stays as it is. What Clew copied into the worktree is not new. Gives the names to `work`, too.
 */
export async function withNewFiles<T>(
  git: GitCalls,
  folder: string,
  work: (env: WithNewFiles, names: string[]) => Promise<T>,
): Promise<T> {
  const listed = await git.plain(folder, ["ls-files", "--others", "--exclude-standard", "-z"]);
  const gitFolder = (await git.plain(folder, ["rev-parse", "--absolute-git-dir"])).stdout.toString("utf8").trimEnd();
  const copied = new Set(readNote(gitFolder)?.copied);
  // A name that ends in a slash is a repository of its own.
  const names = listed.stdout
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.endsWith("/") && !copied.has(name));
  if (names.length === 0) return work({}, names);
  const aside = mkdtempSync(join(tmpdir(), "clew-diff-"));
  try {
    const index = join(aside, "index");
    if (existsSync(join(gitFolder, "index"))) copyFileSync(join(gitFolder, "index"), index);
    const env = { GIT_INDEX_FILE: index };
    const announce = ["--literal-pathspecs", "add", "--intent-to-add", "--pathspec-from-file=-", "--pathspec-file-nul"];
    const { code } = await git.plain(folder, announce, { env, stdin: names.join("\0") });
    // A file that went meanwhile: what is tracked is shown all the same.
    return await work(code === 0 ? env : {}, names);
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

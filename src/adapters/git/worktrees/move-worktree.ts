import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { nodeDisk } from "../../files/node-disk.ts";
import { explainErrors } from "../../files/failure.ts";
import type { GitCalls } from "../git-calls.ts";
import type { GitWorktree } from "./git-worktree-entries.ts";

/** Moves a worktree to a free place. Cut off anywhere, `readEntries` finds the folder and `recordPlace` does the rest. */
export async function moveWorktree(
  git: GitCalls,
  entry: GitWorktree & { folder: string },
  to: string,
): Promise<string> {
  let folder = to;
  for (let number = 2; existsSync(folder); number++) folder = `${to}.${number}`;
  explainErrors(folder, () => renameSync(entry.folder, folder));
  await recordPlace(git, { ...entry, folder });
  return folder;
}

/**
 * Tells git where a worktree stands now. `git worktree move` refuses as soon as the repository has submodules, and
 * `git worktree repair` leaves those broken (and looks at other people's worktrees, too).
 */
export async function recordPlace(git: GitCalls, { gitFolder, recordedFolder, folder }: GitWorktree): Promise<void> {
  if (folder === undefined || recordedFolder === undefined || recordedFolder === folder) return;
  for (const module of moduleFolders(gitFolder)) {
    const config = ["config", "-f", join(module, "config")];
    const { stdout } = await git.plain(gitFolder, [...config, "-z", "--get", "core.worktree"]);
    const oldFolder = resolve(module, stdout.toString("utf8").replace(/\0$/, ""));
    if (!oldFolder.startsWith(`${recordedFolder}/`)) continue;
    const newFolder = join(folder, oldFolder.slice(recordedFolder.length));
    await git.plain(gitFolder, [...config, "core.worktree", relative(module, newFolder)]);
  }
  // Last, because this is what ends the search for it.
  nodeDisk.replace(join(gitFolder, "gitdir"), Buffer.from(`${join(folder, ".git")}\n`));
}

/** The git folders of a worktree's own submodules, also of submodules in submodules. */
export function moduleFolders(gitFolder: string): string[] {
  const modules = join(gitFolder, "modules");
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name === "config" && existsSync(join(entry.parentPath, "HEAD")))
    .map((entry) => entry.parentPath);
}

/** Takes a worktree off git's list. Its folder is not touched. */
export function forgetEntry({ gitFolder }: Pick<GitWorktree, "gitFolder">): void {
  explainErrors(gitFolder, () => rmSync(gitFolder, { recursive: true, force: true }));
}

export function unlockEntry({ gitFolder }: Pick<GitWorktree, "gitFolder">): void {
  nodeDisk.remove(join(gitFolder, "locked"));
}

import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { nodeDisk } from "../../files/node-disk.ts";
import { explainErrors } from "../../files/failure.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Entry } from "./entries.ts";

/** Moves a worktree to a free place. Cut off anywhere, `readEntries` finds the folder and `tellPlace` does the rest. */
export async function movePlace(git: GitCalls, entry: Entry & { folder: string }, to: string): Promise<string> {
  const free = freePlace(to);
  explainErrors(free, () => renameSync(entry.folder, free));
  await tellPlace(git, { ...entry, folder: free });
  return free;
}

function freePlace(wanted: string): string {
  let free = wanted;
  for (let number = 2; existsSync(free); number++) free = `${wanted}.${number}`;
  return free;
}

/**
 * Tells git where a worktree stands now. `git worktree move` refuses as soon as the repository has submodules, and
 * `git worktree repair` leaves those broken (and looks at other people's worktrees, too).
 */
export async function tellPlace(git: GitCalls, { gitFolder, recorded, folder }: Entry): Promise<void> {
  if (folder === undefined || recorded === undefined || recorded === folder) return;
  for (const module of moduleFolders(gitFolder)) {
    const config = ["config", "-f", join(module, "config")];
    const { stdout } = await git.plain(gitFolder, [...config, "-z", "--get", "core.worktree"]);
    const old = resolve(module, stdout.toString("utf8").replace(/\0$/, ""));
    if (!old.startsWith(`${recorded}/`)) continue;
    const now = join(folder, old.slice(recorded.length));
    await git.plain(gitFolder, [...config, "core.worktree", relative(module, now)]);
  }
  // Last, because this is what ends the search for it.
  nodeDisk.replace(join(gitFolder, "gitdir"), Buffer.from(`${join(folder, ".git")}\n`));
}

/** The git folders of a worktree's own submodules, also of submodules in submodules. */
export function moduleFolders(gitFolder: string): string[] {
  const modules = join(gitFolder, "modules");
  if (!existsSync(modules)) return [];
  return readdirSync(modules, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile() && each.name === "config" && existsSync(join(each.parentPath, "HEAD")))
    .map((each) => each.parentPath);
}

/** Takes a worktree off git's list. Its folder is not touched. */
export function forget({ gitFolder }: Pick<Entry, "gitFolder">): void {
  explainErrors(gitFolder, () => rmSync(gitFolder, { recursive: true, force: true }));
}

export function unlock({ gitFolder }: Pick<Entry, "gitFolder">): void {
  nodeDisk.remove(join(gitFolder, "locked"));
}

/** `.worktrees/BEAD.RUN` */
export function asidePlace(folder: string, runId: string): string {
  const suffix = `.${runId}`;
  return join(dirname(folder), basename(folder).endsWith(suffix) ? basename(folder) : `${basename(folder)}${suffix}`);
}

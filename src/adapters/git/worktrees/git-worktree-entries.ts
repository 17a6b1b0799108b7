import { readdirSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import type { WorktreeNote } from "../../../contract/worktree.ts";
import { ifPresent } from "../../files/failure.ts";
import { readRegular } from "../../files/regular-file.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { linkedGitFolders, listCheckouts } from "./list-worktrees.ts";
import { readMakingMark, type MakingMark } from "./making-mark.ts";
import { readNote } from "./note-file.ts";
import { rootPaths } from "../../layout.ts";

/** A worktree that git knows, of a run or not. */
export interface GitWorktree {
  gitFolder: string;
  /** Where git records it to be; undefined when git was killed before it wrote that. */
  recordedFolder: string | undefined;
  /** Where it is; found in `.worktrees/` after a move that was cut off before git recorded it. */
  folder: string | undefined;
  branch: string | undefined;
  head: string | undefined;
  /** The reason of its lock, which may be empty. */
  lock: string | undefined;
  note: WorktreeNote | undefined;
  /** Set while Clew makes it, or when Clew died then. Without a note it is unfinished. */
  makingMark: MakingMark | undefined;
}

/** All worktrees that git knows. Branch and head are git's answer; the rest is read from files. */
export async function readEntries(git: GitCalls, { root, commonDir }: Repository): Promise<GitWorktree[]> {
  const linked = linkedGitFolders(commonDir);
  if (linked.length === 0) return [];
  const checkouts = await listCheckouts(git, { folder: root, commonDir });
  const byFolder = new Map(checkouts.map((checkout) => [checkout.folder, checkout]));
  const movedFolders = backlinksIn(rootPaths.worktrees(root));
  return linked.map(({ gitFolder, recordedFolder }) => {
    const { head, branch } = byFolder.get(recordedFolder ?? "") ?? noHead;
    const isInPlace = recordedFolder !== undefined && backlinkOf(recordedFolder) === gitFolder;
    const lock = ifPresent(() => readRegular(join(gitFolder, "locked")).toString("utf8").trimEnd());
    return {
      gitFolder,
      recordedFolder,
      folder: isInPlace ? recordedFolder : movedFolders.get(gitFolder),
      head,
      branch,
      lock,
      note: readNote(gitFolder),
      makingMark: readMakingMark(lock),
    };
  });
}

const noHead = { head: undefined, branch: undefined };

/** Worktrees that stand in a folder, by the git folder that each names. */
function backlinksIn(folder: string): Map<string | undefined, string> {
  const names = ifPresent(() => readdirSync(folder).sort()) ?? [];
  return new Map(names.map((name) => [backlinkOf(join(folder, name)), join(folder, name)]));
}

/** The git folder that a worktree's `.git` file names; undefined when there is none, or it is not there. */
function backlinkOf(folder: string): string | undefined {
  try {
    const target = /^gitdir: (.+)$/s.exec(readRegular(join(folder, ".git")).toString("utf8").trimEnd())?.[1];
    return target === undefined ? undefined : realpathSync(resolve(folder, target));
  } catch {
    return undefined;
  }
}

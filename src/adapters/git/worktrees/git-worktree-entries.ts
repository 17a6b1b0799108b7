import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { WorktreeNote } from "../../../contract/worktree.ts";
import { isMissing } from "../../files/failure.ts";
import { readRegular } from "../../files/regular-file.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { gitFailed, gitWorktreeList } from "./list-worktrees.ts";
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
  const names = namesIn(join(commonDir, "worktrees"));
  if (names.length === 0) return [];
  const heads = await readHeads(git, root, commonDir);
  const movedFolders = backlinksIn(rootPaths.worktrees(root));
  return names.map((name) => {
    const gitFolder = join(realpathSync(commonDir), "worktrees", name);
    const gitdir = readText(join(gitFolder, "gitdir"));
    // Newer versions of git can write it relative to this folder.
    const recordedFolder = gitdir ? dirname(resolve(gitFolder, gitdir)) : undefined;
    const isInPlace = recordedFolder !== undefined && backlinkOf(recordedFolder) === gitFolder;
    const lock = readText(join(gitFolder, "locked"));
    return {
      gitFolder,
      recordedFolder,
      folder: isInPlace ? recordedFolder : movedFolders.get(gitFolder),
      ...(heads.get(recordedFolder ?? "") ?? noHead),
      lock,
      note: readNote(gitFolder),
      makingMark: readMakingMark(lock),
    };
  });
}

type Head = Pick<GitWorktree, "head" | "branch">;

const noHead: Head = { head: undefined, branch: undefined };

/** What is checked out where, by folder. */
async function readHeads(git: GitCalls, root: string, commonDir: string): Promise<Map<string, Head>> {
  const { code, stdout, stderr } = await gitWorktreeList(git, { folder: root, commonDir });
  if (code !== 0) throw gitFailed(stderr);
  const heads = new Map<string, Head>();
  let current: Head = { ...noHead };
  for (const line of stdout.toString("utf8").split("\0")) {
    const space = line.indexOf(" ");
    const value = line.slice(space + 1);
    if (line.startsWith("worktree ")) heads.set(value, (current = { ...noHead }));
    if (line.startsWith("HEAD ") && !/^0+$/.test(value)) current.head = value;
    if (line.startsWith("branch refs/heads/")) current.branch = value.slice("refs/heads/".length);
  }
  return heads;
}

/** Worktrees that stand in a folder, by the git folder that each names. */
function backlinksIn(folder: string): Map<string | undefined, string> {
  return new Map(namesIn(folder).map((name) => [backlinkOf(join(folder, name)), join(folder, name)]));
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

function namesIn(folder: string): string[] {
  return ifPresent(() => readdirSync(folder).sort()) ?? [];
}

function readText(path: string): string | undefined {
  return ifPresent(() => readRegular(path).toString("utf8").trimEnd());
}

function ifPresent<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

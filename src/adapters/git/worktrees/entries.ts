import { readdirSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { WorktreeNote } from "../../../contract/worktree.ts";
import { isMissing } from "../../files/failure.ts";
import { readRegular } from "../../files/regular-file.ts";
import type { GitCalls } from "../git-calls.ts";
import type { Repository } from "../repository.ts";
import { gitFailed } from "./git-failed.ts";
import { readMakingMark, type MakingMark } from "./making-mark.ts";
import { readNote } from "./note-file.ts";
import { rootPaths } from "../../layout.ts";

/** A worktree that git knows, whoever made it. */
export interface Entry {
  gitFolder: string;
  /** Where git believes it to be; undefined when git never came to write that. */
  recordedFolder: string | undefined;
  /** Where it is: also found in `.worktrees/` after a move that was cut off before git was told. */
  folder: string | undefined;
  branch: string | undefined;
  head: string | undefined;
  /** The reason of its lock, which may be empty. */
  lock: string | undefined;
  note: WorktreeNote | undefined;
  /** The lock is ours: it is being made, or was when its maker died. It is unfinished when it has no note. */
  makingMark: MakingMark | undefined;
}

/** All of them. Reads files where git has no command; branch and head are git's answer. */
export async function readEntries(git: GitCalls, { root, commonDir }: Repository): Promise<Entry[]> {
  const names = namesIn(join(commonDir, "worktrees"));
  if (names.length === 0) return [];
  const heads = await readHeads(git, root);
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
      ...(recordedFolder === undefined
        ? { branch: undefined, head: undefined }
        : (heads.get(recordedFolder) ?? noHead)),
      lock,
      note: readNote(gitFolder),
      makingMark: readMakingMark(lock),
    };
  });
}

interface Head {
  head: string | undefined;
  branch: string | undefined;
}

const noHead: Head = { head: undefined, branch: undefined };

/** What is checked out where, by folder. */
async function readHeads(git: GitCalls, root: string): Promise<Map<string, Head>> {
  const { code, stdout, stderr } = await git.plain(root, ["worktree", "list", "--porcelain", "-z"]);
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
function backlinksIn(folder: string): Map<string, string> {
  const backlinks = namesIn(folder).map((name) => [backlinkOf(join(folder, name)), join(folder, name)] as const);
  return new Map(backlinks.flatMap(([gitFolder, path]) => (gitFolder === undefined ? [] : [[gitFolder, path]])));
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
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function readText(path: string): string | undefined {
  try {
    return readRegular(path).toString("utf8").trimEnd();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

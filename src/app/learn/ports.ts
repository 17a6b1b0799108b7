import type { Redacted } from "../../contract/redacted.ts";
import type { Machine } from "../../learn/export/harbor/portable-command.ts";
import type { SessionParts } from "../session/parts.ts";

/** What learning from sessions needs. */
export interface LearnParts {
  sessions: SessionParts;
  /** The id of the session that a person names. */
  find: (name: string) => Promise<string>;
  /** A path below the repository's root, as a person writes it there. */
  shownPath: (path: string) => string;
  files: () => Promise<ExportFiles>;
  commits: () => Promise<CommitFiles>;
  /** The folders of this machine that commands in sessions may name. */
  machine: () => Promise<Machine>;
  runTask: () => Promise<RunTask>;
  /** Lets other work of this process go on. */
  giveWay: () => Promise<void>;
  /** Told while something takes long. */
  progress: (what: string, done: number, total: number) => void;
}

/** Where exports are written. Nothing that is there is ever written over. */
export interface ExportFiles {
  /** A new file, which has its name once it is closed. Throws when there is one. */
  newFile(path: string): ExportFile;
  /** A new folder, which has its name once it is closed. Throws when there is one. */
  newFolder(path: string): ExportFolder;
}

export interface ExportFile {
  write(text: Redacted<string>): void;
  close(): void;
  /** Leaves nothing behind. After `close` it does nothing. */
  discard(): void;
}

export interface ExportFolder {
  /** Where it stands until it is closed. */
  place: string;
  /** `path` is below the folder. */
  write(path: string, text: Redacted<string>, options?: { executable: boolean }): void;
  copy(from: string, to: string): void;
  remove(path: string): void;
  /** The bytes of all files below a path. */
  bytes(path: string): number;
  close(): void;
  discard(): void;
}

/** A file of a commit, by the name of what it holds. */
export interface CommitFile {
  path: string;
  blob: string;
  bytes: number;
}

/** What git keeps of a commit. */
export interface CommitFiles {
  has(commit: string): boolean;
  isAncestor(commit: string, of: string): boolean;
  files(commit: string): CommitFile[];
  /** What files hold, in their order; undefined where git does not have it here. */
  contents(files: readonly CommitFile[]): Iterable<[CommitFile, Uint8Array | undefined]>;
  /** Whether files of the commit would be missing in an archive, or have other bytes there. */
  differsInArchives(commit: string): boolean;
  /** Paths that differ; those that the later commit no longer has are `removed`. Undefined when git cannot tell. */
  changes(from: string, to: string): { changed: string[]; removed: string[] } | undefined;
  /** Writes all files of a commit, or only these, into a tar file. */
  archive(commit: string, file: string, paths?: string[]): void;
  /** Writes what differs, for people. */
  diff(from: string, to: string, file: string): void;
}

/** A try of a task on this machine. */
export interface TaskTry {
  folder: string;
  /** Whether after its solution. */
  solved: boolean;
  /** Ends it, with all that it started. */
  signal: AbortSignal;
}

/** Runs a task's test on a copy of its files; resolves with the reward. */
export type RunTask = (task: TaskTry) => Promise<number | undefined>;

import type { Redacted } from "../../contract/redacted.ts";
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
  runTask: () => Promise<RunTask>;
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
  remove(path: string): void;
  /** What was written there as text, in pieces that overlap a little, so that nothing small is cut in all of them. */
  textsOf(path: string): Iterable<string>;
  close(): void;
  discard(): void;
}

/** What git keeps of a commit. */
export interface CommitFiles {
  has(commit: string): boolean;
  isAncestor(commit: string, of: string): boolean;
  /** Names at the root of the commit. */
  rootNames(commit: string): string[];
  /** Whether files of the commit would be missing in an archive, or differ there. */
  hidesFromArchives(commit: string): boolean;
  /** Paths that differ; those that the later commit no longer has are `removed`. Undefined when git cannot tell. */
  changes(from: string, to: string): { changed: string[]; removed: string[] } | undefined;
  /** Writes all files of a commit, or only these, into a tar file. */
  archive(commit: string, file: string, paths?: string[]): void;
  /** Writes what differs, for people. */
  diff(from: string, to: string, file: string): void;
}

/** Runs a task's test on a copy of its files; resolves with the reward. `solved`: after the solution. */
export type RunTask = (folder: string, solved: boolean) => Promise<number | undefined>;

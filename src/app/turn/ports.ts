import type { ClewError } from "../../contract/errors.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { TurnLine } from "../../contract/turn.ts";

/** The turns of sessions on disk: `turns.jsonl`, and a folder for each turn. Throws a ClewError when they cannot be read. */
export interface TurnStore {
  /** What happened to the turns of a session, in order; nothing when it has none. A torn last line does not count. */
  lines(session: string): TurnLine[];
  /** The lines that can be read, where others cannot, and what is wrong then. */
  readableLines(session: string): { lines: TurnLine[]; problem?: ClewError };
  /** Names of the turns whose folders are there. */
  folders(session: string): string[];
  /** The bytes of a file in a turn's folder; undefined when it is not there. Plain files of a limited size alone. */
  read(session: string, turn: string, file: string): Uint8Array | undefined;
  /** The hashes of all files in a turn's folder, by name; an empty text for what is no plain file, or too large to be one of Clew's. */
  hashes(session: string, turn: string): Record<string, string>;
  /**
   * Adds files to a turn, or makes it, and appends the line, which is given the hashes of these files. All is on disk when it
   * returns; a crash leaves all of it or nothing, once `mend` was called. Under the session's lock.
   */
  commit(session: string, turn: string, files: TurnFile[], line: Redacted<TurnLine>): void;
  /** Appends a line that changes no folder. On disk when it returns. */
  append(session: string, line: Redacted<TurnLine>): void;
  /** Completes what a crash left of a commit, or takes it back. Under the session's lock. */
  mend(session: string): void;
}

/** Why an agent may not be shown a file; undefined when it may. */
export type ReadRefusal = (path: string, agent: string) => string | undefined;

export interface TurnFile {
  /** A name without a folder. */
  name: string;
  content: Redacted<string> | Redacted<Uint8Array>;
}

/** What a repository has for context lists. Nothing outside it is read, also not through links, and nothing of git's. */
export interface ContextFiles {
  /** The context list of all sessions; undefined when there is none. */
  globalList(): string | undefined;
  sessionList(session: string): string | undefined;
  /** Makes the empty list of a new session, unless there is one. */
  makeSessionList(session: string): void;
  /** The text of `.clew/memos.yaml`; undefined when there is none. */
  memos(): string | undefined;
  /** The files of these folders and of what is below them that git knows or would, sorted; maybe others. Throws a ClewError when git cannot tell. */
  filesIn(folders: readonly string[]): readonly string[];
  look(path: string): FoundFile;
}

export type FoundFile =
  | { kind: "text"; text: string; bytes: number }
  /** A file that is not shown. */
  | { kind: "omitted"; reason: string; bytes: number }
  | { kind: "missing" };

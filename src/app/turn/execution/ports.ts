import type { Redacted } from "../../../contract/redacted.ts";
import type { PlannedChange, TurnDeed, TurnJournalLine } from "../../../contract/turn-journal.ts";

/** What stands at a path below the root. */
export type FileState =
  | { kind: "missing" }
  | { kind: "file"; bytes: Uint8Array; sha256: string; mode: number }
  /** Nothing may be written there; `reason` continues a sentence that began with the path. */
  | { kind: "refused"; reason: string };

/** The files of the checkout, as plans may change them. */
export interface WorkFiles {
  /** Follows no link, leaves the root for nothing, and never throws because of what stands there. */
  look(path: string): FileState;
  /** Why commands cannot work in a folder below the root; undefined when they can. */
  folderProblem(path: string): string | undefined;
  /** The rights of a new file. */
  newFileMode: number;
}

/** What a file is to hold. */
export interface FileContent {
  bytes: Uint8Array;
  sha256: string;
  mode: number;
}

/** One file of a batch: what must stand there, and what is to. */
export interface FileWrite {
  path: string;
  before: FileContent | null;
  after: FileContent | null;
}

/** Files that changed between the look at them and the writing; nothing was written. */
export class FilesChanged extends Error {
  override name = "FilesChanged";
  readonly paths: string[];

  constructor(paths: string[]) {
    super(`${paths.join(", ")} changed meanwhile`);
    this.paths = paths;
  }
}

/** What a crash left of an execution, and what became of it. */
export interface MendedExecution {
  turn: string;
  deed: TurnDeed;
  /** Files that have again what they held before. */
  restored: string[];
  /** Files that another program changed since: they were left as they are. */
  kept: string[];
  /** Commands that had begun. */
  commands: string[];
}

/** By which the processes of a command are found after a crash. */
export type CommandProcess = Extract<TurnJournalLine, { type: "command" }>["process"];

/** The journal of one turn's executions, with what files held before and after. For the user alone. */
export interface TurnJournal {
  lines(): TurnJournalLine[];
  /** That a command is about to begin. On disk when it returns. */
  commandStarted(action: number, command: Redacted<string>, process: CommandProcess, at: string): void;
  commandEnded(action: number, exitCode: number | null, at: string): void;
  /**
   * Writes all of it, or nothing: contents and the line of the batch are on disk before the first file changes. Throws `FilesChanged`, or
   * what the disk says, with everything as it was.
   */
  apply(writes: FileWrite[], at: string): void;
  /** A content that was kept; undefined when it is not there any more. */
  content(sha256: string): Uint8Array | undefined;
  keep(content: Pick<FileContent, "bytes" | "sha256">): void;
  /** What the last deed of this kind made of files, over all its batches. */
  changes(deed: TurnDeed): PlannedChange[];
  /** Takes back all that the last deed did to files, if it was this one, and ends what is left of its processes. */
  takeBack(deed: TurnDeed, at: string): Promise<Omit<MendedExecution, "turn" | "deed">>;
}

/** The executions of sessions' turns. Writers hold the session's lock. */
export interface TurnJournals {
  of(session: string, turn: string): TurnJournal;
  /** The deed that was begun and is not over; undefined when there is none. */
  underWay(session: string): { turn: string; deed: TurnDeed } | undefined;
  begin(session: string, turn: string, deed: TurnDeed, at: string): TurnJournal;
  over(session: string): void;
}

/** A command of a plan, for `/bin/sh`. */
export interface PlanCommand {
  command: string;
  /** Below the root; the root itself when empty. */
  cwd: string;
  timeoutMs: number;
  session: string;
}

export interface CommandEnd {
  /** Null when it was ended before it had one. */
  exit_code: number | null;
  /** Why it did not succeed; absent when it did. */
  error?: string;
  /** All that it printed, redacted, both streams in the order in which they came; cut after a limit. */
  output: Redacted<string>;
}

/** Runs commands of plans by the rules of steps: recorded before they begin, and ended with all that they started. */
export interface PlanCommands {
  run(
    command: PlanCommand,
    listeners: {
      signal: AbortSignal;
      onStarted: (process: CommandProcess) => void;
      onOutput: (text: Redacted<string>) => void;
    },
  ): Promise<CommandEnd>;
}

/** Fetches a page of the web, with limits. Throws an Error that says what is in the way. */
export type FetchPage = (url: string, signal: AbortSignal) => Promise<{ url: string; text: string }>;

/** Has an agent that may only read answer a question. Throws a ClewError when it cannot. */
export type AskAgent = (query: string, signal: AbortSignal) => Promise<{ answer: string; session: string }>;

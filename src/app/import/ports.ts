import type { ImportedEngine } from "../../contract/import-values.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Frontmatter, LogEntry, SubagentEntry, ToolEntry } from "../../contract/session.ts";
import type { TranscriptAbout, TranscriptReader } from "../../engine/transcript/event.ts";
import type { TakenPart } from "../../session/engine-sessions.ts";
import type { SavedRecord } from "../session/ports.ts";

/** A transcript as the folder shows it. */
export interface TranscriptFile {
  engine: ImportedEngine;
  path: string;
  /** Another text whenever the file was written. */
  stamp: string;
  bytes: number;
  writtenMs: number;
  /** What the path tells. */
  about: TranscriptAbout;
  /** What Clew itself kept of an engine's hooks; absent for what the engine left. */
  source?: "hooks";
}

export interface SkippedFile {
  path: string;
  reason: string;
}

/** A line of a transcript. */
export interface SourceLine {
  /** Without its end; null for one that is too long to be held. Valid until the next line is asked for. */
  bytes: Buffer | null;
  /** Where it ends in the file; of a database, how many rows there are up to it. */
  end: number;
  /** The file ends without a line end: the line may be written just now. */
  isTorn: boolean;
}

/** The transcripts that engines left on this machine. Nothing here writes. */
export interface Transcripts {
  /** All that may belong to this repository; with `everywhere`, all. Links, pipes and the like are left out, and told. */
  list(engine: ImportedEngine, everywhere: boolean): Promise<{ files: TranscriptFile[]; skipped: SkippedFile[] }>;
  /** Throws a ClewError when the file cannot be read. */
  lines(file: TranscriptFile): Iterable<SourceLine>;
  reader(file: TranscriptFile): TranscriptReader;
  /** Short, and another text when something else stands before this position; undefined when the file ends before it. */
  mark(file: TranscriptFile, position: number): string | undefined;
  /** Whether a folder is this repository's: its checkout, a worktree of it, or a folder in one of them. */
  isOwnFolder(folder: string): boolean;
}

/** Stands for a session where a transcript is of another folder. */
export const foreign = "";

/** What was found out about a transcript: the session that has it; null when none is to have it. */
export interface KnownTranscript {
  stamp: string;
  session: string | null;
}

/** What earlier imports found out. A projection: without it everything is read again, and nothing written twice. */
export interface ImportMemory {
  /** Nothing was imported yet, or what was remembered of it is lost. */
  readonly isEmpty: boolean;
  get(path: string): KnownTranscript | undefined;
  set(path: string, known: KnownTranscript): void;
  /** Whether this engine session counts the message; the first that asks does. */
  counts(owner: string, messageId: string): boolean;
  /** Called when all that it tells is on disk. */
  save(): void;
}

/** A time in which Clew drove an engine, both ends as ISO 8601. */
export interface Period {
  from: string;
  until: string;
}

/** The session that an engine session belongs to. */
export interface OwnedSession {
  id: string;
  /** Undefined when it was not imported. */
  taken: TakenPart | undefined;
}

/** One session that is written in bulk, without a write-ahead copy. Nothing of it is seen before `finish`. */
export interface BulkRecord {
  readonly id: string;
  append(entries: Redacted<LogEntry>[], at: string): void;
  /** A call whose whole result is the text that `json` stands for, the bytes between its quotes. They are copied. */
  appendEncoded(call: Redacted<ToolEntry>, json: Redacted<Uint8Array>, at: string): void;
  /** Puts a call with its result in the place of the same without; false when it does not stand there. */
  /** Brings the count of a subagent's session into its callout. False when it is there already. */
  updateLink(link: Pick<SubagentEntry, "session" | "tokens">): boolean;
  complete(before: Redacted<ToolEntry>, after: Redacted<ToolEntry>): boolean;
  /** Keeps a text that is too long for the session; returns its path below the root. */
  keep(text: Redacted<string>): string;
  /** Writes the session with these values of its frontmatter (`undefined` removes one). `written` resolves when it is on disk. */
  finish(changes: Redacted<Record<string, unknown>>): { saved: SavedRecord; written: Promise<void> };
  /** Takes away what was made for a new session, and the results that were added to one; after `finish`, nothing. */
  discard(): void;
}

export interface BulkRecords {
  /** Engine sessions by `engine session`, from the frontmatter of these sessions or of all, and those of deleted sessions (null). */
  engineSessions(ids?: readonly string[]): Promise<Map<string, OwnedSession | null>>;
  /** A new session: its folder is made, and hidden from git. A taken id gets `-2`, `-3`… */
  create(wantedId: string, head: Redacted<Pick<Frontmatter, "title" | "channel">>): BulkRecord;
  /** The id that `create` would give. */
  freeId(wantedId: string): string;
  /** Goes on with a session; the caller holds its lock until `written`. */
  open(id: string): Promise<{ record: BulkRecord; frontmatter: Frontmatter }>;
  /** When Clew drove an engine for this session: what the engine did then, the session has. */
  recorded(id: string, engine: string): Period[];
  /** Folders of new sessions are on disk when this resolves. */
  sync(): Promise<void>;
  withLock<T>(id: string, work: () => Promise<T>): Promise<T>;
  /** Lets git see these sessions again. Returns those that were hidden. */
  share(ids: string[]): string[];
}

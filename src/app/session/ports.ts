import type { Breadcrumb } from "../../contract/breadcrumb.ts";
import type { Redacted } from "../../contract/redacted.ts";
import type { Frontmatter, LogEntry, SubagentNews } from "../../contract/session.ts";
import type { Status } from "../../contract/session-values.ts";
import type { InboxItem } from "../../contract/api/inbox.ts";
import type { StatsGroup } from "../../contract/api/session-list.ts";
import type { GroupBy, IndexedItem, RowFilter, SessionRow, UnreadableSession } from "../../contract/session-row.ts";
import type { ResultsByCall } from "../../session/results.ts";
import type { Moment } from "../../session/write-entry.ts";
import type { Tally } from "../../session/tally.ts";

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Ids {
  /** A short random id, `[a-z0-9]{length}`. */
  random(length: number): string;
}

/** What the index learns about one session. */
export interface IndexedSession {
  row: SessionRow;
  inbox: InboxItem[];
}

export interface IndexChanges {
  put?: Redacted<IndexedSession>[];
  unreadable?: UnreadableSession[];
  /** Ids of sessions that are gone. */
  remove?: string[];
}

/** A new index in the making. */
export interface IndexRebuild {
  /** Each session once. */
  add(session: Redacted<IndexedSession> | UnreadableSession): void;
  /** Puts it in the place of the one before. */
  write(): void;
}

/**
 * The index over all sessions: a projection, never the truth. Every method throws `IndexDamaged` when what is on
 * disk does not hold together; the caller then rebuilds. Writers hold the index lock; readers need none.
 */
export interface SessionIndex {
  exists(): boolean;
  /** Rows that match, newest `started` first (ties: larger id first), at most `limit`. */
  newest(filter: RowFilter, limit: number): SessionRow[];
  get(sessionId: string): SessionRow | undefined;
  /** All ids, readable or not, in ascending order. */
  ids(): string[];
  /** Whether these, each given once, are exactly the ids of the index. Reads no rows, so that every list can ask it. */
  hasExactly(ids: Iterable<string>): boolean;
  unreadable(): UnreadableSession[];
  inbox(): IndexedItem[];
  totals(by: GroupBy): StatsGroup[];
  /** Returns the ids of what was otherwise before. Cost grows with the change, not with the number of sessions. */
  apply(changes: IndexChanges): string[];
  /**
   * The whole index anew. The same sessions give the same bytes, whatever came before. `expected` are the ids of all that will be added:
   * it takes little memory where it is so and they come in order.
   */
  rebuild(expected: string[]): IndexRebuild;
  /** From now on, changes stay in memory: this process is answered, and nothing is written. */
  keepInMemory(): void;
  /** Throws the index away: the next reader makes it again. */
  discard(): void;
  /** Per shard a checksum, so that another projection can find what changed without reading the rows. */
  shards(): { name: string; check: string }[];
  shardRows(name: string): SessionRow[];
}

/** A session's files as one consistent text. */
export interface RecordText {
  /** The whole file, with `\n` line ends. */
  text: string;
  /** Where the body begins, in characters. */
  bodyStart: number;
  frontmatter: Frontmatter;
  /** Checksum of the body, as in the index. */
  check: string;
  /** Whether all of this stands in the file; else the next writer brings the rest back. */
  isWhole: boolean;
}

export interface BodyPlace {
  /** Bytes and lines of frontmatter before it. */
  bytes: number;
  lines: number;
  /** Which file that is: one that was written to has another name. */
  file: string;
  /** The body itself, where its text is not what stands in the file: entries are missing there, or it has CRLF line ends. */
  text?: Buffer;
}

/** What is known of a session without reading it. */
export interface RecordGlance {
  status: Status;
  parent: string | null;
  savedAtMs: number;
  activeAtMs: number;
}

/** What a save point leaves for the projections. */
export interface SavedRecord {
  frontmatter: Frontmatter;
  tally: Tally;
  check: string;
  /** The checksum at the save point before, when the body has only grown since; else null. */
  grewFrom: string | null;
  /** Names the files as they were then: see `fingerprint`. */
  files: string;
  /** Whether `tokens_used` is another number than before. */
  hasCounted: boolean;
}

/** One session while this process is its only writer. Changes are acknowledged when `change` has returned. */
export interface RecordWriter {
  readonly glance: RecordGlance;
  readonly tally: Tally;
  /** Another number after every entry and setting that any process wrote. */
  readonly revision: number;
  /** The body as it stands, with `\n` line ends. */
  body(): Promise<string>;
  append(entries: Redacted<LogEntry>[], moment: Moment): Promise<void>;
  /** Sets frontmatter values; `undefined` removes one. */
  set(changes: Redacted<Record<string, unknown>>): Promise<void>;
  amend(before: string, after: Redacted<string>): Promise<boolean>;
  rename(title: Redacted<string>): Promise<void>;
  /** A save point; `news` is what the session of one of its subagents tells. */
  save(news?: SubagentNews): Promise<SavedRecord>;
}

/** The sessions' files: the truth. All methods throw `ClewError` with what, where and the way out. */
export interface SessionRecords {
  /** Makes a session; a taken id gets `-2`, `-3`… */
  create(id: string, frontmatter: Redacted<Omit<Frontmatter, "session_id">>): Promise<string>;
  /**
   * Takes the lock, brings back what is missing, runs `work`; what it wrote is on disk when this returns. Not with
   * `durable: false`, which is for what can be made again: then it only survives the death of the process.
   */
  change<T>(id: string, work: (record: RecordWriter) => T | Promise<T>, options?: { durable: boolean }): Promise<T>;
  /** The file and its write-ahead copy, read together. Never writes to them: what the file lacks is there in memory. */
  read(id: string): Promise<RecordText>;
  /** What a save point would tell of the session as it is now. Nothing is written, and mostly no body read. */
  summary(id: string): Promise<SavedRecord>;
  /** Where the body of a session's file begins. */
  bodyPlace(id: string): Promise<BodyPlace>;
  /** A part of the body, by bytes; without `end`, to its end. */
  readBody(id: string, place: BodyPlace, start: number, end?: number): string;
  glance(id: string): RecordGlance | undefined;
  exists(id: string): boolean;
  /** Folder names in the sessions folder, in no order. */
  ids(): string[];
  /** Whether its file is known to hold all that was logged. */
  isWhole(id: string): boolean;
  /** Names the session's files as they are now: another name whenever one of them was written. */
  fingerprint(id: string): string;
  /** Sessions that are active, or that the index has not taken in. */
  openIds(): string[];
  /** Whether its file is in the checkout; it may have left with a branch. */
  isHere(id: string): boolean;
  hasCopy(id: string): boolean;
  /** Sessions with a write-ahead copy. */
  copyIds(): string[];
  markOpen(id: string): void;
  /** Whether the index has this open session as its files are now. */
  isTakenIn(id: string): boolean;
  /** Notes that the index has this open session as it was with these files. */
  markTakenIn(id: string, files: string): void;
  /** Takes the mark away, unless its files are other ones by now. */
  closeIfStill(id: string, files: string): Promise<void>;
  /** Its engine sessions, as `engine session`, stay deleted: no import brings them back. */
  remove(id: string, engineSessions: Redacted<string>[]): Promise<void>;
  /** Drops the write-ahead copy if `isSafe`, asked under the lock, says so. */
  dropCopy(id: string, isSafe: () => boolean): Promise<void>;
  /** Where `session.md` is. */
  path(id: string): string;
  /** The names of the transcripts of its engines, in no order. */
  transcriptNames(id: string): string[];
  /** The whole results of its calls; with `wanted`, at least so many of these, the last ones. */
  results(id: string, counts?: ReadonlyMap<string, number>): ResultsByCall;
  /** Keeps a long text under the name of its hash; returns its path below the repository's root. */
  keep(id: string, text: Redacted<string>): string;
}

/** What the index was last compared with. May be lost; then everything is compared again. */
export interface IndexBaseline {
  /** Time of the sessions folder, when it is old enough to be told from a later change. */
  folder: string | null;
  /** The commit that HEAD named. */
  head: string | null;
  /** The name of all branches, while sessions stand on others than the one that is checked out; else null. */
  branches: string | null;
}

/** What Clew asks of the repository around it. Paths are relative to the root, with `/`. */
export interface Surroundings {
  headCommit(): string | undefined;
  /** The branch that is checked out in the main checkout; undefined when HEAD is detached. */
  headBranch(): string | undefined;
  /** Ids of sessions whose files differ between two commits; undefined when git cannot tell. */
  changedSessions(from: string, to: string): string[] | undefined;
  /** Whether another branch than the one that is checked out holds all that was acknowledged in this session. */
  isElsewhere(sessionId: string): boolean;
  /** Another name whenever a branch or remote branch moved, came or went; null when git cannot tell. */
  branchesName(): string | null;
  /** Drops the write-ahead copy of a session that ended and that a branch holds all of. */
  dropCommittedCopy(sessionId: string): Promise<void>;
  readSeen(): IndexBaseline;
  writeSeen(baseline: IndexBaseline): void;
  /** Time of the sessions folder; null when it changed so recently that a later change could bear the same time. */
  folderTime(): string | null;
}

/** Where a session's breadcrumbs are kept, one file each. */
export interface BreadcrumbFiles {
  /** Keeps one, under a name that no other has; it is on disk when this resolves with its path. */
  add(sessionId: string, breadcrumb: Redacted<Breadcrumb>): Promise<string>;
  /** In the order of time; with `limit`, only the last ones. Files that are no breadcrumbs are named, and never thrown. */
  list(
    sessionId: string,
    wanted?: { depth?: number | undefined; limit?: number | undefined },
  ): Promise<FoundBreadcrumbs>;
}

export interface FoundBreadcrumbs {
  breadcrumbs: Breadcrumb[];
  unreadable: { path: string; reason: string }[];
}

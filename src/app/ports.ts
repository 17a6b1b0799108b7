import type { Frontmatter, LogEntry, Status } from "../contract/session.ts";
import type {
  GroupBy,
  InboxItem,
  RowFilter,
  SessionRow,
  StatsGroup,
  UnreadableSession,
} from "../contract/session-row.ts";
import type { KeptResults } from "../session/results.ts";
import type { Moment } from "../session/next-items.ts";
import type { Tally } from "../session/tally.ts";

/** Replaces secrets in a text. Total and idempotent: `redact(redact(x)) === redact(x)`. */
export type Redact = (text: string) => string;

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
  put?: IndexedSession[];
  unreadable?: UnreadableSession[];
  /** Ids of sessions that are gone. */
  remove?: string[];
}

/** A new index in the making. */
export interface IndexRebuild {
  /** Each session once. */
  add(session: IndexedSession | UnreadableSession): void;
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
  inbox(): InboxItem[];
  totals(by: GroupBy): StatsGroup[];
  /** Returns the ids of what was otherwise before. Cost grows with the change, not with the number of sessions. */
  apply(changes: IndexChanges): string[];
  /**
   * The whole index anew. The same sessions give the same bytes, whatever came before. `expected` are the ids of all that will be added:
   * it takes little memory where it is so and they come in order.
   */
  rebuild(expected: string[]): IndexRebuild;
  /** Throws the index away: whoever reads next makes it again. */
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
}

export interface BodyPlace {
  /** Bytes and lines of frontmatter before it. */
  bytes: number;
  lines: number;
  /** The file has CRLF line ends, so that a place in its text is not the same place in the file. */
  crlf: boolean;
  /** Which file that is: one that was written anew has another name. */
  file: string;
}

/** What is known of a session without reading it. */
export interface RecordGlance {
  status: Status;
  parent: string | null;
  /** Entries were logged since the last save point. */
  dirty: boolean;
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
}

/** One session while this process is its only writer. Changes are acknowledged when `change` has returned. */
export interface RecordWriter {
  readonly glance: RecordGlance;
  readonly tally: Tally;
  /** Another number after every entry and setting that anybody wrote. */
  readonly revision: number;
  /** The body as it stands, with `\n` line ends. */
  body(): Promise<string>;
  append(entries: LogEntry[], moment: Moment): Promise<void>;
  /** Sets frontmatter values; `undefined` removes one. */
  set(changes: Record<string, unknown>): Promise<void>;
  amend(before: string, after: string): Promise<boolean>;
  rename(title: string): Promise<void>;
  save(): Promise<SavedRecord>;
}

/** The sessions' files: the truth. All methods throw `ClewError` with what, where and the way out. */
export interface SessionRecords {
  /** Makes a session; a taken id gets `-2`, `-3`… */
  create(id: string, frontmatter: Omit<Frontmatter, "session_id">): Promise<string>;
  /**
   * Takes the lock, brings back what is missing, runs `work`; what it wrote is on disk when this returns. Not with
   * `durable: false`, which is for what can be made again: then it only survives the death of the process.
   */
  change<T>(id: string, work: (record: RecordWriter) => T | Promise<T>, options?: { durable: boolean }): Promise<T>;
  read(id: string): Promise<RecordText>;
  /** Where the body of a session's file begins. */
  bodyPlace(id: string): BodyPlace;
  /** A part of the body, by bytes; without `end`, to its end. */
  readBody(id: string, place: BodyPlace, start: number, end?: number): string;
  glance(id: string): RecordGlance | undefined;
  exists(id: string): boolean;
  /** Folder names in the sessions folder, in no order. */
  ids(): string[];
  /** Sessions that are active or wait for a save point. */
  openIds(): string[];
  /** Whether its file is in the checkout; it may have left with a branch. */
  isHere(id: string): boolean;
  hasCopy(id: string): boolean;
  /** Sessions with a write-ahead copy. */
  copyIds(): string[];
  markOpen(id: string): void;
  /** Takes the mark away, unless the session is active or has entries since its save point. */
  closeIfSettled(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  /** Drops the write-ahead copy if `isSafe`, asked under the lock, says so. */
  dropCopy(id: string, isSafe: () => boolean): Promise<void>;
  /** Where `session.md` is. */
  path(id: string): string;
  /** The whole results of its calls; with `wanted`, at least so many of these, the last ones. */
  results(id: string, wanted?: ReadonlyMap<string, number>): KeptResults;
  /** Keeps a long text under the name of its hash; returns its path below the repository's root. */
  keep(id: string, text: string): string;
}

/** What the index was last compared with. May be lost; then everything is compared again. */
export interface Seen {
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
  readSeen(): Seen;
  writeSeen(seen: Seen): void;
  /** Time of the sessions folder; null when it changed so recently that a later change could bear the same time. */
  folderTime(): string | null;
}

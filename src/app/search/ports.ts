import type { Redacted } from "../../contract/redacted.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import type { SearchQuery } from "../../session/search/query.ts";

/** Where the text of a hit can be read. */
export interface ChunkRef extends Omit<SearchChunk, "text"> {
  session_id: string;
}

export interface SearchedSession {
  session_id: string;
  /** ISO 8601 instant. */
  started: string;
  /** Checksum of the text that the chunks are cut from. */
  check: string;
}

/** What the search holds does not hold together. The caller calls `reset()` and puts every session again. */
export class SearchDamaged extends Error {
  override name = "SearchDamaged";
}

/**
 * The full text of all sessions: a projection, never the truth. The same sessions give the same answers in the same
 * order, however the search came to hold them. Every method may throw `SearchDamaged`. Other processes may read and
 * write at the same time; a writer waits for the other.
 */
export interface SearchIndex {
  /** Checksum of the session's text that is searched; undefined when the session is not in the search. */
  check(sessionId: string): string | undefined;
  /**
   * The last chunk of a session, so that an append puts anew only from its `start` on. Undefined when the session must
   * be put as a whole: it has no chunk here, or stands here with another time of start. Belongs into one transaction
   * with the `put` that follows it.
   */
  tail(session: Pick<SearchedSession, "session_id" | "started">): ChunkRef | undefined;
  /**
   * Makes the search hold exactly these chunks from body offset `from` on (0: the whole session anew; else the start of
   * a chunk). Chunks come in body order. Many sessions are put fastest oldest first, in transactions of some 8 MB.
   */
  put(session: SearchedSession, from: number, chunks: Iterable<Redacted<SearchChunk>>): void;
  remove(sessionId: string): void;
  /** The sessions in the search, ascending: from `from` on, before `before`. */
  ids(from?: string, before?: string): Iterable<string>;
  /**
   * Chunks in which all terms of the query occur: newest session first (ties: larger id first), within a session the
   * last chunk first. Lazy: the first hits cost no more when there are many. The terms may stand in different entries
   * of a chunk.
   */
  query(query: SearchQuery, within?: string): Iterable<ChunkRef>;
  /**
   * All changes in `work` become visible together, or none when it throws. Inside another transaction it joins it. A crash
   * leaves all changes of one session, or none; of several sessions, some may be there.
   */
  transaction<T>(work: () => T): T;
  /** The same, for work that waits in between: until `commit` or `rollBack`. */
  begin(): void;
  commit(): void;
  rollBack(): void;
  /** Up to which state of the session index this search has been brought: checksums of the index's shards by name. */
  seen(): Map<string, string>;
  setSeen(shards: { name: string; check: string }[]): void;
  /** Before a rebuild or other large change: what is put from now on is brought into its final form by `settle` alone. */
  expectMany(): void;
  /**
   * Brings what was written since `expectMany` into its final form, also what another process wrote; else does nothing. Takes about a
   * quarter of the time of the change. Answers are the same before and after, and slower before.
   */
  settle(): void;
  /** After sessions were removed for good: as far as it can be done quickly, nothing of them stays in the file. */
  forget(): void;
  /** Begins again with an empty search. */
  reset(): void;
  close(): void;
}

/** A session that the search lacks. */
export type MissingSession = Pick<SearchedSession, "session_id" | "started">;

/**
 * Puts many sessions into the search on disk and settles it, in threads of its own. Calls `onPut` with how many more were
 * put. Throws what `SearchIndex` throws; what was put until then stays.
 */
export type FillInThreads = (sessions: MissingSession[], onPut: (more: number) => void) => Promise<void>;

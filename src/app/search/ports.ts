import type { Redacted } from "../../contract/redacted.ts";
import type { SearchChunk } from "../../session/chunks.ts";
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
   * a chunk). Chunks come in body order. Many sessions are put fastest oldest first, in transactions of some 64 MB.
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
  /** All changes in `work` become visible together, or none when it throws. Inside another transaction it joins it. */
  transaction<T>(work: () => T): T;
  /** Up to which state of the session index this search has been brought: checksums of the index's shards by name. */
  seen(): Map<string, string>;
  setSeen(shards: { name: string; check: string }[]): void;
  /**
   * After a rebuild or other large change: brings what was written into its final form, so that no later small change
   * has to. Takes about a tenth of the time of the change.
   */
  settle(): void;
  /** After sessions were removed for good: as far as it can be done quickly, nothing of them stays in the file. */
  forget(): void;
  /** Begins again with an empty search. */
  reset(): void;
  close(): void;
}

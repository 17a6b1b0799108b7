import type { ChunkRef, SearchedSession } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import type { SearchQuery } from "../../session/search/query.ts";
import { toFts } from "../../session/search/to-fts.ts";
import type { Database } from "./database.ts";
import { hitsByFallingId, hitsNewestFirst, type Hit } from "./newest-first.ts";
import { bulkMode, isInBulkMode, mergeSegments } from "./schema.ts";
import { openInMemory, openNext, openSearch } from "./search-file.ts";
import { deleteStoredSession, findStoredSession, lastChunk, putSession, toMs } from "./stored-sessions.ts";

/** Up to this size, optimising the whole search takes no longer than a second. */
const quicklyRewritten = 32 * 1024 * 1024;

/**
 * Full-text search in a SQLite file with FTS5: all of the search, or one part of it (`SearchParts`). The folder must have no
 * files but those of the search. Without a folder, it is in memory. Methods are those of `SearchIndex`.
 */
export class SqliteSearch {
  readonly #folder: string | undefined;
  readonly #part: number;
  #number: number;
  #db: Database;

  constructor(folder: string | undefined, part = 0) {
    this.#folder = folder;
    this.#part = part;
    ({ db: this.#db, number: this.#number } = folder === undefined ? openInMemory() : openSearch(folder, part));
  }

  check(sessionId: string): string | undefined {
    return this.#db.value("SELECT text_check FROM session WHERE session_id = ?", sessionId)?.toString();
  }

  tail({ session_id, started }: Pick<SearchedSession, "session_id" | "started">): ChunkRef | undefined {
    const session = findStoredSession(this.#db, session_id);
    if (session?.started_ms !== toMs(started)) return undefined;
    const last = lastChunk(this.#db, session.num);
    return last && { session_id, ...last };
  }

  put(session: SearchedSession, from: number, chunks: Iterable<SearchChunk>): void {
    this.#db.transaction(() => putSession(this.#db, session, from, chunks));
  }

  remove(sessionId: string): void {
    this.#db.transaction(() => {
      const session = findStoredSession(this.#db, sessionId);
      if (session) deleteStoredSession(this.#db, session.num);
    });
  }

  ids(from = "", before?: string): string[] {
    const select = "SELECT session_id FROM session WHERE session_id >= ?";
    const rows =
      before === undefined
        ? this.#db.all(`${select} ORDER BY session_id`, from)
        : this.#db.all(`${select} AND session_id < ? ORDER BY session_id`, from, before);
    return (rows as { session_id: string }[]).map(({ session_id }) => session_id);
  }

  *query(query: SearchQuery, within?: string): Generator<ChunkRef> {
    for (const { id: _id, started_ms: _ms, ...ref } of this.hits(query, within)) yield ref;
  }

  /** What `query` gives, with what its order depends on. */
  *hits(query: SearchQuery, within?: string): Generator<Hit> {
    const session = within === undefined ? undefined : findStoredSession(this.#db, within);
    if (within !== undefined && !session) return;
    const hits = hitsByFallingId(this.#db, toFts(query), session?.num);
    yield* session ? hits : hitsNewestFirst(this.#db, hits);
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work);
  }

  begin(): void {
    this.#db.begin();
  }

  commit(): void {
    this.#db.commit();
  }

  rollBack(): void {
    this.#db.rollBack();
  }

  seen(): Map<string, string> {
    const rows = this.#db.all("SELECT name, shard_check FROM shard") as { name: string; shard_check: string }[];
    return new Map(rows.map(({ name, shard_check }) => [name, shard_check]));
  }

  /** Writes only what differs. */
  setSeen(shards: { name: string; check: string }[]): void {
    this.#db.transaction(() => {
      const seen = this.seen();
      for (const { name, check } of shards) {
        if (seen.get(name) !== check) this.#db.run("INSERT OR REPLACE INTO shard VALUES (?, ?)", name, check);
        seen.delete(name);
      }
      for (const name of seen.keys()) this.#db.run("DELETE FROM shard WHERE name = ?", name);
    });
  }

  expectMany(): void {
    this.#db.exec(bulkMode);
  }

  settle(): void {
    if (this.#db.value(isInBulkMode) !== undefined) this.#db.exec(mergeSegments);
  }

  forget(): void {
    const bytes = Number(this.#db.value("PRAGMA page_count")) * Number(this.#db.value("PRAGMA page_size"));
    if (bytes < quicklyRewritten) this.#db.exec(mergeSegments);
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  reset(): void {
    this.#db.close();
    const next = this.#folder === undefined ? openInMemory() : openNext(this.#folder, this.#part, this.#number);
    ({ db: this.#db, number: this.#number } = next);
  }

  close(): void {
    this.#db.close();
  }
}

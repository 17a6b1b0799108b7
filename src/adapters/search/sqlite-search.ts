import type { ChunkRef, SearchedSession, SearchIndex } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/chunks.ts";
import type { SearchQuery } from "../../session/search/query.ts";
import { toFts } from "../../session/search/to-fts.ts";
import type { Database } from "./database.ts";
import { hitsByFallingId, hitsNewestFirst } from "./newest-first.ts";
import { openInMemory, openNext, openSearch } from "./search-file.ts";
import { deleteStoredSession, findStoredSession, lastChunk, putSession, toMs } from "./stored-sessions.ts";

/** Up to this size, optimising the whole search takes no longer than a second. */
const quicklyRewritten = 32 * 1024 * 1024;

/** Full-text search in a SQLite file with FTS5. The folder must have no other files. Without a folder, it is in memory. */
export class SqliteSearch implements SearchIndex {
  readonly #folder: string | undefined;
  #number: number;
  #db: Database;

  constructor(folder: string | undefined) {
    this.#folder = folder;
    ({ db: this.#db, number: this.#number } = folder === undefined ? openInMemory() : openSearch(folder));
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
    const session = within === undefined ? undefined : findStoredSession(this.#db, within);
    if (within !== undefined && !session) return;
    const hits = hitsByFallingId(this.#db, toFts(query), session?.num);
    for (const { id: _id, started_ms: _ms, ...ref } of session ? hits : hitsNewestFirst(this.#db, hits)) yield ref;
  }

  transaction<T>(work: () => T): T {
    return this.#db.transaction(work);
  }

  seen(): Map<string, string> {
    const rows = this.#db.all("SELECT name, shard_check FROM shard") as { name: string; shard_check: string }[];
    return new Map(rows.map(({ name, shard_check }) => [name, shard_check]));
  }

  setSeen(shards: { name: string; check: string }[]): void {
    this.#db.transaction(() => {
      this.#db.run("DELETE FROM shard");
      for (const { name, check } of shards) this.#db.run("INSERT INTO shard VALUES (?, ?)", name, check);
    });
  }

  settle(): void {
    this.#db.exec("INSERT INTO words (words) VALUES ('optimize')");
  }

  forget(): void {
    const bytes = Number(this.#db.value("PRAGMA page_count")) * Number(this.#db.value("PRAGMA page_size"));
    if (bytes < quicklyRewritten) this.settle();
    this.#db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  reset(): void {
    this.#db.close();
    const next = this.#folder === undefined ? openInMemory() : openNext(this.#folder, this.#number);
    ({ db: this.#db, number: this.#number } = next);
  }

  close(): void {
    this.#db.close();
  }
}

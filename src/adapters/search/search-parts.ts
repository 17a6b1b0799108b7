import type { ChunkRef, SearchedSession, SearchIndex } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import { crc32 } from "../../session/crc32.ts";
import type { SearchQuery } from "../../session/search/query.ts";
import { inTransaction } from "./database.ts";
import { byNewest, type Hit } from "./newest-first.ts";
import { SqliteSearch } from "./sqlite-search.ts";

/** Part of the version of the search (`schema.ts`): with another number, sessions would be looked for in the wrong part. */
export const partCount = 2;

/** The part that has this session. */
export function partOf(sessionId: string): number {
  return crc32(sessionId) % partCount;
}

/**
 * The search in several files, so that as many threads can build it: SQLite has one writer for each file. Each session is in
 * one of them. A file is opened when it is first needed: following one session needs one.
 */
export class SearchParts implements SearchIndex {
  readonly #folder: string | undefined;
  readonly #parts: (SqliteSearch | undefined)[] = Array.from({ length: partCount });
  /** The parts that take part in the transaction that is under way. */
  #joined: Set<SqliteSearch> | undefined;

  /** Without a folder, it is in memory. */
  constructor(folder: string | undefined) {
    this.#folder = folder;
  }

  check(sessionId: string): string | undefined {
    return this.#partOf(sessionId).check(sessionId);
  }

  tail(session: Pick<SearchedSession, "session_id" | "started">): ChunkRef | undefined {
    return this.#partOf(session.session_id).tail(session);
  }

  put(session: SearchedSession, from: number, chunks: Iterable<SearchChunk>): void {
    this.#partOf(session.session_id).put(session, from, chunks);
  }

  remove(sessionId: string): void {
    this.#partOf(sessionId).remove(sessionId);
  }

  ids(from?: string, before?: string): string[] {
    return this.#all()
      .flatMap((part) => part.ids(from, before))
      .sort();
  }

  *query(query: SearchQuery, within?: string): Generator<ChunkRef> {
    const parts = within === undefined ? this.#all() : [this.#partOf(within)];
    for (const { id: _id, started_ms: _ms, ...ref } of mergeHits(parts.map((part) => part.hits(query, within))))
      yield ref;
  }

  transaction<T>(work: () => T): T {
    return this.#joined ? work() : inTransaction(this, work);
  }

  begin(): void {
    this.#joined = new Set();
  }

  commit(): void {
    for (const part of this.#joined ?? []) part.commit();
    this.#joined = undefined;
  }

  rollBack(): void {
    for (const part of this.#joined ?? []) part.rollBack();
    this.#joined = undefined;
  }

  /** What all parts have seen: one that was begun again has seen nothing. */
  seen(): Map<string, string> {
    const [first, ...others] = this.#all().map((part) => part.seen());
    return new Map([...first!].filter(([name, check]) => others.every((each) => each.get(name) === check)));
  }

  setSeen(shards: { name: string; check: string }[]): void {
    for (const part of this.#all()) part.setSeen(shards);
  }

  expectMany(): void {
    for (const part of this.#all()) part.expectMany();
  }

  settle(): void {
    for (const part of this.#all()) part.settle();
  }

  forget(): void {
    for (const part of this.#all()) part.forget();
  }

  reset(): void {
    this.rollBack();
    for (const part of this.#all()) part.reset();
  }

  close(): void {
    for (const part of this.#parts) part?.close();
    this.#parts.fill(undefined);
  }

  #all(): SqliteSearch[] {
    return Array.from(this.#parts, (_, part) => this.#part(part));
  }

  #partOf(sessionId: string): SqliteSearch {
    return this.#part(partOf(sessionId));
  }

  #part(number: number): SqliteSearch {
    const part = (this.#parts[number] ??= new SqliteSearch(this.#folder, number));
    if (this.#joined && !this.#joined.has(part)) {
      part.begin();
      this.#joined.add(part);
    }
    return part;
  }
}

/** Hits of several parts, each newest first, in that same order. */
function* mergeHits(parts: Generator<Hit>[]): Generator<Hit> {
  const heads = parts.map((hits) => hits.next());
  for (;;) {
    let best = -1;
    for (const [at, { value, done }] of heads.entries()) {
      if (done) continue;
      const bestHead = heads[best];
      if (!bestHead || bestHead.done || byNewest(value, bestHead.value) < 0) best = at;
    }
    const head = heads[best];
    if (!head || head.done) return;
    yield head.value;
    heads[best] = parts[best]!.next();
  }
}

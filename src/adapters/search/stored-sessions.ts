import type { ChunkRef, SearchedSession } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import { splittable } from "../../session/search/fold.ts";
import type { Database } from "./database.ts";
import { chunksPerMinute } from "./schema.ts";

/** A session's row, and the start that decides its place among the others. */
export interface StoredSession {
  num: number;
  started_ms: number;
}

const lastMinute = Math.floor(Number.MAX_SAFE_INTEGER / chunksPerMinute) - 1;
export const toMs = (started: string) => Date.parse(started) || 0;
const toMinute = (ms: number) => Math.min(Math.max(0, Math.floor(ms / 60_000)), lastMinute);

export function findStoredSession(db: Database, sessionId: string): StoredSession | undefined {
  const sql = "SELECT num, started_ms FROM session WHERE session_id = ?";
  return db.get(sql, sessionId) as StoredSession | undefined;
}

export function lastChunk(db: Database, num: number): Omit<ChunkRef, "session_id"> | undefined {
  const sql = `SELECT start, "end", line, phase, title FROM chunk WHERE session = ? ORDER BY id DESC LIMIT 1`;
  return db.get(sql, num) as Omit<ChunkRef, "session_id"> | undefined;
}

/** Must run in a transaction. */
export function putSession(db: Database, session: SearchedSession, from: number, chunks: Iterable<SearchChunk>): void {
  const stored = findStoredSession(db, session.session_id);
  const startedMs = toMs(session.started);
  if (from > 0 && stored?.started_ms !== startedMs) throw new Error(`${session.session_id} must be put as a whole`);
  if (stored) deleteChunks(db, stored.num, from);
  const num = putRow(db, session, stored?.num);
  addChunks(db, num, toMinute(startedMs), chunks);
}

/** Must run in a transaction. */
export function deleteStoredSession(db: Database, num: number): void {
  deleteChunks(db, num, 0);
  db.run("DELETE FROM session WHERE num = ?", num);
}

function putRow(db: Database, { session_id, started, check }: SearchedSession, storedNum: number | undefined): number {
  const startedMs = toMs(started);
  const minute = toMinute(startedMs);
  // New chunks come after all others of the minute, which is the wrong order if those have a newer session.
  const after = "minute = ? AND (started_ms, session_id) > (?, ?)";
  const loose = db.value(`SELECT EXISTS (SELECT 1 FROM session WHERE ${after})`, minute, startedMs, session_id) ?? 0;
  const values = [startedMs, minute, loose, check];
  if (storedNum === undefined) {
    const columns = "started_ms, minute, loose, text_check, session_id";
    return db.run(`INSERT INTO session (${columns}) VALUES (?, ?, ?, ?, ?)`, ...values, session_id);
  }
  const assign = "started_ms = ?, minute = ?, loose = ?, text_check = ?";
  db.run(`UPDATE session SET ${assign} WHERE num = ?`, ...values, storedNum);
  return storedNum;
}

/**
 * Deletes the rows of `words` one by one: SQLite makes a savepoint for a statement that may change several rows, and at each
 * savepoint FTS5 writes out all that it has in memory.
 */
function deleteChunks(db: Database, num: number, from: number): void {
  const chunks = db.all("SELECT id FROM chunk WHERE session = ? AND start >= ?", num, from) as { id: number }[];
  for (const { id } of chunks) db.run("DELETE FROM words WHERE rowid = ?", id);
  db.run("DELETE FROM chunk WHERE session = ? AND start >= ?", num, from);
}

function addChunks(db: Database, num: number, minute: number, chunks: Iterable<SearchChunk>): void {
  const limit = (minute + 1) * chunksPerMinute;
  const last = db.value("SELECT max(id) FROM chunk WHERE id < ?", limit);
  let id = Math.max(minute * chunksPerMinute, Number(last ?? -1) + 1);
  for (const { start, end, line, phase, title, text } of chunks) {
    if (id === limit) throw new Error(`More than ${chunksPerMinute} chunks in sessions that began in the same minute`);
    db.run("INSERT INTO words (rowid, text) VALUES (?, ?)", id, splittable(text));
    db.run("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?, ?)", id, num, start, end, line, phase, title);
    id++;
  }
}

import type { ChunkRef } from "../../app/search/ports.ts";
import type { Database } from "./database.ts";
import { chunksPerMinute } from "./schema.ts";

/** A hit with what its order depends on. */
export interface Hit extends ChunkRef {
  id: number;
  started_ms: number;
}

const firstPage = 64;
const largestPage = 4096;

const pageOfHits = `
  SELECT c.id, s.started_ms, s.session_id, c.start, c."end", c.line, c.phase, c.title
  FROM words CROSS JOIN chunk c ON c.id = words.rowid CROSS JOIN session s ON s.num = c.session
  WHERE words MATCH ? AND words.rowid BETWEEN ? AND ? AND c.session = coalesce(?, c.session)
  ORDER BY words.rowid DESC LIMIT ?`;

/**
 * Hits by falling id, of all sessions or of the one with number `within`. Read in growing pages, so that the first few hits
 * are cheap.
 */
export function* hitsByFallingId(db: Database, match: string, within?: number): Generator<Hit> {
  const range = idRange(db, within);
  let highest = range.highest;
  for (let size = firstPage; ; size = Math.min(size * 4, largestPage)) {
    const page = db.all(pageOfHits, match, range.lowest, highest, within ?? null, size) as Hit[];
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < size) return;
    highest = last.id - 1;
  }
}

function idRange(db: Database, within: number | undefined): { lowest: number; highest: number } {
  if (within === undefined) return { lowest: 0, highest: Number.MAX_SAFE_INTEGER };
  const sql = "SELECT ifnull(min(id), 0) AS lowest, ifnull(max(id), -1) AS highest FROM chunk WHERE session = ?";
  return db.get(sql, within) as { lowest: number; highest: number };
}

/**
 * The same hits, newest session first. Falling ids have that order already, except in minutes with a loose session: the hits
 * of such a minute are collected and sorted.
 */
export function* hitsNewestFirst(db: Database, hits: Iterable<Hit>): Generator<Hit> {
  let minute = -1;
  let minuteHits: Hit[] | undefined;
  for (const hit of hits) {
    const hitMinute = Math.floor(hit.id / chunksPerMinute);
    if (hitMinute !== minute) {
      if (minuteHits) yield* minuteHits.sort(byNewest);
      minute = hitMinute;
      minuteHits = hasLoose(db, minute) ? [] : undefined;
    }
    if (minuteHits) minuteHits.push(hit);
    else yield hit;
  }
  if (minuteHits) yield* minuteHits.sort(byNewest);
}

const hasLoose = (db: Database, minute: number) =>
  db.value("SELECT 1 FROM session WHERE minute = ? AND loose LIMIT 1", minute) !== undefined;

export function byNewest(a: Hit, b: Hit): number {
  if (a.started_ms !== b.started_ms) return b.started_ms - a.started_ms;
  if (a.session_id !== b.session_id) return a.session_id < b.session_id ? 1 : -1;
  return b.start - a.start;
}

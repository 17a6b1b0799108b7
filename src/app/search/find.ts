import type { SearchHit } from "../../contract/api/search.ts";
import { ClewError } from "../../contract/errors.ts";
import { Damaged } from "../../session/frontmatter/frontmatter.ts";
import { entryText } from "../../session/entry-text.ts";
import type { Item } from "../../session/items.ts";
import { readItems } from "../../session/parse.ts";
import { excerpt, type Excerpt } from "../../session/search/excerpt.ts";
import { matchEntry } from "../../session/search/match.ts";
import { parseQuery, type SearchQuery } from "../../session/search/query.ts";
import { bringUpToDate } from "../session/open-sessions.ts";
import type { SessionParts } from "../session/parts.ts";
import type { BodyPlace, SessionRecords } from "../session/ports.ts";
import { SearchedResults } from "./results.ts";
import type { ChunkRef } from "./ports.ts";

const excerptWidth = 160;

/** Newest session first, and within a session the last entry first. */
export async function findText(
  parts: SessionParts,
  text: string,
  limit: number,
  within?: string,
): Promise<SearchHit[]> {
  const query = parseQuery(text);
  const { records, projections } = parts;
  await bringUpToDate(parts);
  await projections.refresh();
  const search = await projections.refreshSearch();
  await projections.warnOfUnreadable();
  const hits: SearchHit[] = [];
  const places = new Map<string, BodyPlace | undefined>();
  const results = new SearchedResults(records);
  for (const chunk of search.query(query, within)) {
    const place = places.get(chunk.session_id) ?? (await placeOf(records, chunk.session_id));
    places.set(chunk.session_id, place);
    if (place) hits.push(...hitsIn(records, chunk, place, query, results));
    if (hits.length >= limit) break;
  }
  return hits.slice(0, limit);
}

/** Undefined for a session that has become unreadable since it was indexed. */
async function placeOf(records: SessionRecords, sessionId: string): Promise<BodyPlace | undefined> {
  try {
    return await records.bodyPlace(sessionId);
  } catch (error) {
    if (error instanceof Damaged || error instanceof ClewError) return undefined;
    throw error;
  }
}

/** The search knows stretches of text; which entries in them match is seen in the text itself. */
function hitsIn(
  records: SessionRecords,
  chunk: ChunkRef,
  place: BodyPlace,
  query: SearchQuery,
  results: SearchedResults,
): SearchHit[] {
  const text = records.readBody(chunk.session_id, place, chunk.start, chunk.end);
  const hits: SearchHit[] = [];
  const wholeOf = results.inChunk(chunk, place);
  const add = (item: Item, start: number, end: number): void => {
    const words = entryText(wholeOf(item));
    const spans = matchEntry(query, words);
    if (!spans) return;
    const cut: Excerpt = excerpt(words, spans, excerptWidth);
    const word = words.slice(spans[0]!.start, spans[0]!.end);
    const offset = text.indexOf(word, start);
    const at = offset >= 0 && offset < end ? offset : start;
    const line = place.lines + chunk.line + text.slice(0, at).split("\n").length;
    hits.push({
      session_id: chunk.session_id,
      path: records.path(chunk.session_id),
      line,
      phase: chunk.title,
      kind: item.kind,
      excerpt: cut.text,
      spans: cut.spans,
    });
  };
  readItems(text, 0, add, true);
  return hits.toReversed();
}

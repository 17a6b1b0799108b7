import { ClewError } from "../contract/errors.ts";
import { Damaged } from "../session/frontmatter/frontmatter.ts";
import { entryText } from "../session/entry-text.ts";
import type { Item } from "../session/items.ts";
import { readItems } from "../session/parse.ts";
import { excerpt, type Excerpt } from "../session/search/excerpt.ts";
import { matchEntry, type Span } from "../session/search/match.ts";
import { parseQuery, type SearchQuery } from "../session/search/query.ts";
import type { BodyPlace, SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";
import { SearchedResults } from "./searched-results.ts";
import type { ChunkRef } from "./search-port.ts";
import type { Sessions } from "./sessions.ts";

/** One place where all words stand. */
export interface SearchHit {
  session_id: string;
  path: string;
  /** Line in session.md, from 1. */
  line: number;
  phase: string;
  /** What kind of entry it is, or `phase` for a heading. */
  kind: string;
  excerpt: string;
  /** Where in the excerpt the words stand. */
  spans: Span[];
}

const excerptWidth = 160;

export class Search {
  private readonly records: SessionRecords;
  private readonly projections: Projections;
  private readonly sessions: Sessions;

  constructor(records: SessionRecords, projections: Projections, sessions: Sessions) {
    this.records = records;
    this.projections = projections;
    this.sessions = sessions;
  }

  /** Newest session first, and within a session the last entry first. */
  async find(text: string, limit: number, within?: string): Promise<SearchHit[]> {
    const query = parseQuery(text);
    await this.sessions.foldOpen();
    await this.projections.refresh();
    const search = await this.projections.refreshSearch();
    const hits: SearchHit[] = [];
    const places = new Map<string, BodyPlace | undefined>();
    const results = new SearchedResults(this.records);
    for (const chunk of search.query(query, within)) {
      const place = places.get(chunk.session_id) ?? this.placeOf(chunk.session_id);
      places.set(chunk.session_id, place);
      if (place) hits.push(...this.hitsIn(chunk, place, query, results));
      if (hits.length >= limit) break;
    }
    return hits.slice(0, limit);
  }

  /** Undefined for a session that has become unreadable since it was indexed. */
  private placeOf(sessionId: string): BodyPlace | undefined {
    try {
      return this.records.bodyPlace(sessionId);
    } catch (error) {
      if (error instanceof Damaged || error instanceof ClewError) return undefined;
      throw error;
    }
  }

  /** The search knows stretches of text; which entries in them match is seen in the text itself. */
  private hitsIn(chunk: ChunkRef, place: BodyPlace, query: SearchQuery, results: SearchedResults): SearchHit[] {
    const text = this.records.readBody(chunk.session_id, place, chunk.start, chunk.end);
    const hits: SearchHit[] = [];
    const wholeOf = results.inChunk(chunk, place);
    const add = (item: Item, start: number, end: number): void => {
      const said = entryText(wholeOf(item));
      const spans = matchEntry(query, said);
      if (!spans) return;
      const shown: Excerpt = excerpt(said, spans, excerptWidth);
      const word = said.slice(spans[0]!.start, spans[0]!.end);
      const found = text.indexOf(word, start);
      const at = found >= 0 && found < end ? found : start;
      const line = place.lines + chunk.line + text.slice(0, at).split("\n").length;
      hits.push({
        session_id: chunk.session_id,
        path: this.records.path(chunk.session_id),
        line,
        phase: chunk.title,
        kind: item.kind,
        excerpt: shown.text,
        spans: shown.spans,
      });
    };
    readItems(text, 0, add, true);
    return hits.toReversed();
  }
}

import { entryText } from "../session/entry-text.ts";
import type { Item } from "../session/items.ts";
import { readItems } from "../session/parse.ts";
import { excerpt, type Excerpt } from "../session/search/excerpt.ts";
import { matchEntry, type Span } from "../session/search/match.ts";
import { parseQuery, type SearchQuery } from "../session/search/query.ts";
import type { SessionRecords } from "./ports.ts";
import type { Projections } from "./projections.ts";
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
    for (const chunk of search.query(query, within)) {
      hits.push(...this.hitsIn(chunk, query));
      if (hits.length >= limit) break;
    }
    return hits.slice(0, limit);
  }

  /** The search knows stretches of text; which entries in them match is seen in the text itself. */
  private hitsIn(chunk: ChunkRef, query: SearchQuery): SearchHit[] {
    const text = this.records.readBody(chunk.session_id, chunk.start, chunk.end);
    const hits: SearchHit[] = [];
    const headLines = this.records.headLines(chunk.session_id);
    const add = (item: Item, start: number): void => {
      const said = entryText(item);
      const spans = matchEntry(query, said);
      if (!spans) return;
      const shown: Excerpt = excerpt(said, spans, excerptWidth);
      const line = headLines + chunk.line + text.slice(0, start).split("\n").length;
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
    readItems(text, 0, (item, start) => add(item, start), true);
    return hits.toReversed();
  }
}

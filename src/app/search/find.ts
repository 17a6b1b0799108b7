import type { SearchHit } from "../../contract/api/search.ts";
import { ClewError } from "../../contract/errors.ts";
import { Damaged } from "../../session/frontmatter/frontmatter.ts";
import { entryText } from "../../session/entry-text.ts";
import type { Item } from "../../session/items.ts";
import { readItems } from "../../session/parse.ts";
import { excerpt, type Excerpt } from "../../session/search/excerpt.ts";
import { matchEntry } from "../../session/search/match.ts";
import { parseQuery, type SearchQuery } from "../../session/search/query.ts";
import type { BodyPlace, SessionRecords } from "../session/ports.ts";
import type { Projections } from "../session/projections.ts";
import { SearchedResults } from "./results.ts";
import type { ChunkRef } from "./ports.ts";
import type { OpenSessions } from "../session/open-sessions.ts";

const excerptWidth = 160;

export class Search {
  readonly #records: SessionRecords;
  readonly #projections: Projections;
  readonly #openSessions: OpenSessions;

  constructor(records: SessionRecords, projections: Projections, openSessions: OpenSessions) {
    this.#records = records;
    this.#projections = projections;
    this.#openSessions = openSessions;
  }

  /** Newest session first, and within a session the last entry first. */
  async find(text: string, limit: number, within?: string): Promise<SearchHit[]> {
    const query = parseQuery(text);
    await this.#openSessions.bringUpToDate();
    await this.#projections.refresh();
    const search = await this.#projections.refreshSearch();
    await this.#projections.warnOfUnreadable();
    const hits: SearchHit[] = [];
    const places = new Map<string, BodyPlace | undefined>();
    const results = new SearchedResults(this.#records);
    for (const chunk of search.query(query, within)) {
      const place = places.get(chunk.session_id) ?? (await this.#placeOf(chunk.session_id));
      places.set(chunk.session_id, place);
      if (place) hits.push(...this.#hitsIn(chunk, place, query, results));
      if (hits.length >= limit) break;
    }
    return hits.slice(0, limit);
  }

  /** Undefined for a session that has become unreadable since it was indexed. */
  async #placeOf(sessionId: string): Promise<BodyPlace | undefined> {
    try {
      return await this.#records.bodyPlace(sessionId);
    } catch (error) {
      if (error instanceof Damaged || error instanceof ClewError) return undefined;
      throw error;
    }
  }

  /** The search knows stretches of text; which entries in them match is seen in the text itself. */
  #hitsIn(chunk: ChunkRef, place: BodyPlace, query: SearchQuery, results: SearchedResults): SearchHit[] {
    const text = this.#records.readBody(chunk.session_id, place, chunk.start, chunk.end);
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
        path: this.#records.path(chunk.session_id),
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

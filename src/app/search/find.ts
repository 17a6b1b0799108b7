import type { SearchHit, SearchHits } from "../../contract/api/search.ts";
import { ClewError } from "../../contract/errors.ts";
import { cursorAt, notAPlace, readCursor, type PageRequest } from "../../contract/page.ts";
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
import { SearchedResults } from "./whole-results.ts";
import type { ChunkRef } from "./ports.ts";

const excerptWidth = 160;

/** The number of hits in a page unless the request says otherwise. */
const usualLimit = 20;

interface SearchRequest extends PageRequest {
  /** The only session to search. */
  within?: string | undefined;
}

/** A hit and the line of the body at which its entry begins. Neither appending nor another title moves it. */
interface PlacedHit {
  hit: SearchHit;
  bodyLine: number;
}

/** Newest session first, and within a session the last entry first. */
export async function findText(
  parts: SessionParts,
  text: string,
  { limit = usualLimit, after, within }: SearchRequest,
): Promise<SearchHits> {
  const query = parseQuery(text);
  const cursor = after === undefined ? undefined : new Cursor(after);
  const { records, projections } = parts;
  await bringUpToDate(parts);
  await projections.refresh();
  const search = await projections.refreshSearch();
  await projections.warnOfUnreadable();
  const hits: PlacedHit[] = [];
  const places = new Map<string, BodyPlace | undefined>();
  const results = new SearchedResults(records);
  for (const chunk of search.query(query, within)) {
    if (cursor?.isBefore(chunk)) continue;
    const place = places.get(chunk.session_id) ?? (await placeOf(records, chunk.session_id));
    places.set(chunk.session_id, place);
    if (place) hits.push(...hitsIn(records, chunk, place, query, results).filter((hit) => !cursor?.covers(hit)));
    if (hits.length > limit) break;
  }
  cursor?.refuseUnknown();
  const page = hits.slice(0, limit);
  const last = hits.length > limit ? page.at(-1) : undefined;
  return { hits: page.map(({ hit }) => hit), ...(last && { next: cursorTo(last) }) };
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
): PlacedHit[] {
  const text = records.readBody(chunk.session_id, place, chunk.start, chunk.end);
  const hits: PlacedHit[] = [];
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
    const hit = {
      session_id: chunk.session_id,
      path: records.path(chunk.session_id),
      line,
      phase: chunk.title,
      kind: item.kind,
      excerpt: cut.text,
      spans: cut.spans,
    };
    hits.push({ hit, bodyLine: chunk.line + text.slice(0, start).split("\n").length - 1 });
  };
  readItems(text, 0, add, true);
  return hits.toReversed();
}

function cursorTo({ hit, bodyLine }: PlacedHit): string {
  return cursorAt(hit.session_id, bodyLine);
}

/** The last hit of the page before. Hits up to it are passed over, in the order in which the search gives them. */
class Cursor {
  readonly #sessionId: string;
  readonly #bodyLine: number;
  #isSessionReached = false;
  #isFound = false;

  constructor(text: string) {
    const [sessionId = "", bodyLine] = readCursor(text, 2);
    this.#sessionId = sessionId;
    this.#bodyLine = Number(bodyLine);
    if (Number.isNaN(this.#bodyLine)) throw notAPlace(text);
  }

  /** Whether everything in this chunk was on an earlier page. */
  isBefore({ session_id, line }: ChunkRef): boolean {
    if (session_id !== this.#sessionId) return !this.#isSessionReached;
    this.#isSessionReached = true;
    return line > this.#bodyLine;
  }

  covers({ hit, bodyLine }: PlacedHit): boolean {
    if (hit.session_id !== this.#sessionId) return false;
    if (bodyLine === this.#bodyLine) this.#isFound = true;
    return bodyLine >= this.#bodyLine;
  }

  /** Throws when the hit is not there any more, as after an edit: nothing tells what came before it. */
  refuseUnknown(): void {
    if (this.#isFound) return;
    throw new ClewError(
      "invalid_input",
      `session ${this.#sessionId} has changed since the page before`,
      "search from the beginning",
    );
  }
}

import { ClewError } from "../../contract/errors.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { bodyName, bytesIn } from "../../session/body-name.ts";
import { Damaged } from "../../session/frontmatter/frontmatter.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { BodyPlace, SessionIndex, SessionRecords } from "../session/ports.ts";
import { fillSearch, searchableChunks } from "./fill.ts";
import { SearchDamaged, type FillInThreads, type SearchedSession, type SearchIndex } from "./ports.ts";

/** Told while something takes long: how many of how many. */
export type Progress = (what: string, done: number, total: number) => void;

interface Parts {
  records: SessionRecords;
  /** Opened only when needed: loading it takes time. One in memory is empty at first, and gone with this process. */
  search: (place: "on disk" | "in memory") => Promise<SearchIndex>;
  fillInThreads: FillInThreads;
  redact: () => Promise<Redact>;
  progress: Progress;
}

/** Up to so many sessions, it pays to look whether they only grew. */
const fewSessions = 20;
/** From so many sessions, or bytes of them, on, threads put them: about half a second's work. */
const manySessions = 500;
const manyBytes = 4 * 1024 * 1024;

/** How the search follows the sessions' files. The caller of a method that writes holds the lock of the projections. */
export class SearchProjection {
  readonly #parts: Parts;
  #place: "on disk" | "in memory" = "on disk";

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async open(): Promise<SearchIndex> {
    return this.#parts.search(this.#place);
  }

  /** From now on, all of it is made anew in memory: this process is answered, and nothing is written. */
  keepInMemory(): void {
    this.#place = "in memory";
  }

  /** Which shards of the index the search has not taken over yet, and whether some are gone. */
  async behind(shards: Shard[]): Promise<{ changed: Shard[]; vanished: boolean }> {
    const seen = await this.#do((search) => search.seen());
    const names = new Set(shards.map(({ name }) => name));
    return {
      changed: shards.filter(({ name, check }) => seen.get(name) !== check),
      vanished: [...seen.keys()].some((name) => !names.has(name)),
    };
  }

  /**
   * Takes over what differs. Only sessions of changed shards are looked at. Does nothing and returns false when so much is
   * missing that others would wait long for the lock: `build` puts that. `atAnyRate` puts it all the same.
   */
  async catchUp(index: SessionIndex, shards: Shard[], atAnyRate: boolean): Promise<boolean> {
    const { changed, vanished } = await this.behind(shards);
    const stale = await this.#stale(index, changed);
    if (!atAnyRate && this.#place === "on disk" && isMuch(stale)) return false;
    if (stale.length > fewSessions) await this.#put(stale);
    else for (const session of stale) await this.extend(session, null);
    await this.#do((search) => {
      if (vanished) forgetOthers(search, { from: "", to: undefined }, index.ids());
      else for (const shard of changed) forgetOthers(search, rangeOf(shards, shard), idsIn(index, shard));
      // What a process that was cut off has left.
      search.settle();
      search.setSeen(shards);
    });
    return true;
  }

  /**
   * Puts what is missing, in threads, so that all processors work. Needs no lock of the projections: a thread reads a session
   * after it has begun to write, so that of two writers the later one has the later text. What it put stays when it is
   * cut off, and the next one goes on from there.
   */
  async build(index: SessionIndex, shards: Shard[]): Promise<void> {
    const { changed } = await this.behind(shards);
    const stale = await this.#stale(index, changed);
    let done = 0;
    const onPut = (more: number): void => this.#parts.progress("indexing for search", (done += more), stale.length);
    if (stale.length > 0) await this.#do(() => this.#parts.fillInThreads(stale, onPut));
  }

  #stale(index: SessionIndex, changed: Shard[]): Promise<SearchedSession[]> {
    return this.#do((search) => changed.flatMap(({ name }) => staleIn(search, index.shardRows(name))));
  }

  /** A session that only grew is read from its last chunk on; `grewFrom`, when known, saves comparing what was there. */
  async extend(row: SearchedSession, grewFrom: string | null): Promise<void> {
    const { records } = this.#parts;
    const redact = await this.#parts.redact();
    const indexedCheck = await this.#do((search) => search.check(row.session_id));
    const place = indexedCheck === undefined ? undefined : await this.#placeIfPossible(row.session_id);
    const extended =
      place &&
      (await this.#do((search) =>
        search.transaction(() => {
          const before = search.check(row.session_id);
          if (before === undefined || (before !== grewFrom && !this.#begins(row.session_id, place, before)))
            return false;
          const tail = search.tail(row);
          if (!tail) return false;
          const grown = records.readBody(row.session_id, place, tail.start);
          const chunks = searchableChunks(records, { id: row.session_id, text: grown, place: tail }, redact);
          search.put(row, tail.start, chunks);
          return true;
        }),
      ));
    if (!extended) await this.#put([row]);
  }

  /** `forGood`: a person deleted them, and nothing of them shall stay. */
  async remove(ids: string[], forGood: boolean): Promise<void> {
    if (ids.length === 0) return;
    await this.#do((search) => {
      search.transaction(() => ids.forEach((id) => search.remove(id)));
      if (forGood) search.forget();
    });
  }

  async reset(): Promise<void> {
    await this.#do((search) => search.reset());
  }

  async #put(rows: SearchedSession[]): Promise<void> {
    let done = 0;
    const onPut = (more: number): void => this.#parts.progress("indexing for search", (done += more), rows.length);
    const redact = await this.#parts.redact();
    await this.#do((search) => fillSearch({ records: this.#parts.records, search, redact, onPut }, rows));
  }

  async #placeIfPossible(id: string): Promise<BodyPlace | undefined> {
    try {
      return await this.#parts.records.bodyPlace(id);
    } catch (error) {
      if (error instanceof Damaged || error instanceof ClewError) return undefined;
      throw error;
    }
  }

  /** Whether a session's body begins with the text that bears this name. */
  #begins(id: string, place: BodyPlace, name: string): boolean {
    return bodyName(this.#parts.records.readBody(id, place, 0, bytesIn(name))) === name;
  }

  /** A damaged search is begun again; the next search fills it. */
  async #do<T>(work: (search: SearchIndex) => T | Promise<T>): Promise<T> {
    const search = await this.open();
    try {
      return await work(search);
    } catch (error) {
      if (!(error instanceof SearchDamaged)) throw error;
      search.reset();
      return work(search);
    }
  }
}

interface Shard {
  name: string;
  check: string;
}

/** Only what is needed of each: the rows of many sessions would take much memory. */
function staleIn(search: SearchIndex, rows: SessionRow[]): SearchedSession[] {
  return rows.flatMap(({ session_id, started, check }) =>
    search.check(session_id) === check ? [] : { session_id, started, check },
  );
}

function idsIn(index: SessionIndex, { name }: Shard): string[] {
  return index.shardRows(name).map((row) => row.session_id);
}

function isMuch(sessions: SearchedSession[]): boolean {
  if (sessions.length <= fewSessions) return false;
  return sessions.length > manySessions || sessions.reduce((sum, { check }) => sum + bytesIn(check), 0) > manyBytes;
}

interface IdRange {
  from: string;
  to: string | undefined;
}

/** A shard's name is its first id, so it reaches to the name of the next one. */
function rangeOf(shards: Shard[], shard: Shard): IdRange {
  const at = shards.indexOf(shard);
  return { from: at === 0 ? "" : shard.name, to: shards[at + 1]?.name };
}

function forgetOthers(search: SearchIndex, { from, to }: IdRange, ids: string[]): void {
  const knownIds = new Set(ids);
  const removedIds = [...search.ids(from, to)].filter((id) => !knownIds.has(id));
  search.transaction(() => removedIds.forEach((id) => search.remove(id)));
}

import { ClewError } from "../../contract/errors.ts";
import type { SessionRow } from "../../contract/session-row.ts";
import { bodyName, bytesIn } from "../../session/body-name.ts";
import { Damaged } from "../../session/frontmatter/frontmatter.ts";
import type { Redact } from "../../contract/redacted.ts";
import type { BodyPlace, SessionIndex, SessionRecords } from "../session/ports.ts";
import { fillSearch, searchableChunks } from "./fill.ts";
import { SearchDamaged, type FillInThreads, type SearchIndex } from "./ports.ts";

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
/** From so many sessions, or bytes of them, on, threads put them. */
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

  /** Takes over what differs. Only sessions of changed shards are looked at. */
  async catchUp(index: SessionIndex, shards: Shard[]): Promise<void> {
    const { changed, vanished } = await this.behind(shards);
    const rows = changed.flatMap(({ name }) => index.shardRows(name));
    const stale = await this.#do((search) => rows.filter((row) => search.check(row.session_id) !== row.check));
    if (stale.length > fewSessions) await this.#put(stale);
    else for (const row of stale) await this.extend(row, null);
    const ranges = vanished ? [{ from: "", to: undefined, knownIds: index.ids() }] : rangesOf(index, shards, changed);
    await this.#do((search) => {
      for (const { from, to, knownIds } of ranges) forgetOthers(search, from, to, new Set(knownIds));
      // What a process that was cut off has left.
      search.settle();
      search.setSeen(shards);
    });
  }

  /** A session that only grew is read from its last chunk on; `grewFrom`, when known, saves comparing what was there. */
  async extend(row: SessionRow, grewFrom: string | null): Promise<void> {
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

  /** In threads when it is much, so that all processors work. */
  async #put(rows: SessionRow[]): Promise<void> {
    if (rows.length === 0) return;
    let done = 0;
    const onPut = (more: number): void => this.#parts.progress("indexing for search", (done += more), rows.length);
    const bytes = rows.reduce((sum, { check }) => sum + bytesIn(check), 0);
    if (this.#place === "on disk" && (rows.length > manySessions || bytes > manyBytes)) {
      return this.#do(() => this.#parts.fillInThreads(rows, onPut));
    }
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

/** A shard's name is its first id, so it reaches to the name of the next one. */
function rangesOf(
  index: SessionIndex,
  shards: Shard[],
  changed: Shard[],
): { from: string; to: string | undefined; knownIds: string[] }[] {
  return changed.map((shard) => {
    const at = shards.indexOf(shard);
    const knownIds = index.shardRows(shard.name).map((row) => row.session_id);
    return { from: at === 0 ? "" : shard.name, to: shards[at + 1]?.name, knownIds };
  });
}

function forgetOthers(search: SearchIndex, from: string, to: string | undefined, knownIds: Set<string>): void {
  const removedIds = [...search.ids(from, to)].filter((id) => !knownIds.has(id));
  search.transaction(() => removedIds.forEach((id) => search.remove(id)));
}

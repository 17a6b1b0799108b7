import type { WholeResults } from "../session/chunks.ts";
import type { Item } from "../session/items.ts";
import { readItems } from "../session/parse.ts";
import { callName, mayHaveWhole, resultAt, type KeptResults } from "../session/results.ts";
import type { BodyPlace, SessionRecords } from "./ports.ts";
import type { ChunkRef } from "./search-port.ts";

/**
 * What the calls in the rest of a body have as whole results, for the search to take in; asked for one after the other. Calls
 * that are written alike are told apart by their place, counted from the body's end.
 */
export function wholeResults(records: SessionRecords, id: string, text: string): WholeResults {
  if (!text.includes("…")) return () => [];
  const wanted = callsIn(text);
  const results = wanted.size === 0 ? new Map<string, string[]>() : records.results(id, wanted);
  const passed = new Map<string, number>();
  return (item) => {
    if (!mayHaveWhole(item)) return [];
    const name = callName(item);
    const at = passed.get(name) ?? 0;
    passed.set(name, at + 1);
    const known = results.get(name) ?? [];
    const whole = known[known.length - wanted.get(name)! + at];
    return whole === undefined ? [] : [whole];
  };
}

/** How often each call stands in a text whose summary may not be its whole result. */
function callsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (item: Item): void => {
    if (!mayHaveWhole(item)) return;
    const name = callName(item);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  readItems(text, 0, add, true);
  return counts;
}

/** Whole results while hits are looked at; each session's are read once. */
export class SearchedResults {
  readonly #records: SessionRecords;
  readonly #bySession = new Map<string, KeptResults>();
  /** How often each call stands in a session. */
  readonly #totals = new Map<string, Map<string, number>>();

  constructor(records: SessionRecords) {
    this.#records = records;
  }

  /** Gives the items of a chunk, one after the other, with their whole results. */
  inChunk({ session_id: id, start }: ChunkRef, place: BodyPlace): (item: Item) => Item {
    const passed = new Map<string, number>();
    let before: Map<string, number> | undefined;
    return (item) => {
      if (!mayHaveWhole(item)) return item;
      const name = callName(item);
      const at = passed.get(name) ?? 0;
      passed.set(name, at + 1);
      const known = this.#of(id).get(name);
      if (!known) return item;
      const total = this.#totalsOf(id, place).get(name) ?? 0;
      if (total > 1) before ??= callsIn(this.#records.readBody(id, place, 0, start));
      const whole = resultAt(known, (before?.get(name) ?? 0) + at, total);
      return whole === undefined ? item : { ...item, result_full: whole };
    };
  }

  #totalsOf(id: string, place: BodyPlace): Map<string, number> {
    let totals = this.#totals.get(id);
    if (!totals) this.#totals.set(id, (totals = callsIn(this.#records.readBody(id, place, 0))));
    return totals;
  }

  #of(id: string): KeptResults {
    let results = this.#bySession.get(id);
    if (!results) this.#bySession.set(id, (results = this.#records.results(id)));
    return results;
  }
}

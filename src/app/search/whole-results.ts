import type { WholeResults } from "../../session/search-chunks.ts";
import type { Item } from "../../session/items.ts";
import { readItems } from "../../session/parse.ts";
import { callName, isShortened, resultAt, type ResultsByCall } from "../../session/results.ts";
import { utf8Length } from "../../session/text.ts";
import type { BodyPlace, SessionRecords } from "../session/ports.ts";
import type { ChunkRef } from "./ports.ts";

/**
 * What the calls in the rest of a body have as whole results, for the search to take in; asked for one after the other. Calls
 * that are written alike are told apart by their place, counted from the body's end.
 */
export function wholeResults(records: SessionRecords, id: string, text: string): WholeResults {
  if (!text.includes("…")) return () => [];
  const counts = callsIn(text);
  const results = counts.size === 0 ? new Map<string, string[]>() : records.results(id, counts);
  const passed = new Map<string, number>();
  return (item) => {
    if (!isShortened(item)) return [];
    const name = callName(item);
    const at = passed.get(name) ?? 0;
    passed.set(name, at + 1);
    const known = results.get(name) ?? [];
    const whole = known[known.length - counts.get(name)! + at];
    return whole === undefined ? [] : [whole];
  };
}

/** How often each call stands in a text whose summary may not be its whole result. */
function callsIn(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  const add = (item: Item): void => {
    if (!isShortened(item)) return;
    const name = callName(item);
    counts.set(name, (counts.get(name) ?? 0) + 1);
  };
  readItems(text, 0, add, true);
  return counts;
}

/** Whole results while hits are looked at; each session and its results are read once, however many hits it has. */
export class SearchedResults {
  readonly #records: Pick<SessionRecords, "readBody" | "results">;
  readonly #bySession = new Map<string, ResultsByCall>();
  /** Where in a session's body each call stands, in bytes. */
  readonly #places = new Map<string, Map<string, number[]>>();

  constructor(records: Pick<SessionRecords, "readBody" | "results">) {
    this.#records = records;
  }

  /** Gives the items of a chunk, one after the other, with their whole results. */
  inChunk({ session_id: id, start }: ChunkRef, place: BodyPlace): (item: Item) => Item {
    const passed = new Map<string, number>();
    return (item) => {
      if (!isShortened(item)) return item;
      const name = callName(item);
      const at = passed.get(name) ?? 0;
      passed.set(name, at + 1);
      const results = this.#of(id).get(name);
      if (!results) return item;
      const places = this.#placesOf(id, place).get(name) ?? [];
      const before = places.findLastIndex((each) => each < start) + 1;
      const whole = resultAt(results, before + at, places.length);
      return whole === undefined ? item : { ...item, result_full: whole };
    };
  }

  #placesOf(id: string, place: BodyPlace): Map<string, number[]> {
    let places = this.#places.get(id);
    if (!places) this.#places.set(id, (places = placesIn(this.#records.readBody(id, place, 0))));
    return places;
  }

  #of(id: string): ResultsByCall {
    let results = this.#bySession.get(id);
    if (!results) this.#bySession.set(id, (results = this.#records.results(id)));
    return results;
  }
}

/** Where each call stands whose summary may not be its whole result, in bytes. */
function placesIn(body: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  let bytes = 0;
  let passed = 0;
  const add = (item: Item, start: number): void => {
    if (!isShortened(item)) return;
    bytes += utf8Length(body.slice(passed, start));
    passed = start;
    const name = callName(item);
    const offsets = places.get(name);
    if (offsets) offsets.push(bytes);
    else places.set(name, [bytes]);
  };
  readItems(body, 0, add, true);
  return places;
}

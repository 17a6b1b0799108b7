import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, assert, beforeAll, expect, test } from "vitest";
import type { ChunkRef } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import { matchEntry } from "../../session/search/match.ts";
import { parseQuery } from "../../session/search/query.ts";
import { SqliteSearch } from "./sqlite-search.ts";

let root: string;
beforeAll(() => (root = mkdtempSync(join(tmpdir(), "clew-search-law-"))));
afterAll(() => rmSync(root, { recursive: true }));

interface Model {
  started: string;
  texts: string[];
}
type Op =
  | { op: "put"; id: string; started: string; texts: string[] }
  | { op: "append"; id: string; texts: string[] }
  | { op: "grow"; id: string; text: string }
  | { op: "remove"; id: string };

/** Same millisecond, same minute, neighbouring minutes, far away, before 1970 and nonsense. */
const anyStart = fc.constantFrom(
  "2026-01-01T10:00:00.000Z",
  "2026-01-01T10:00:00.001Z",
  "2026-01-01T11:00:00.000+01:00",
  "2026-01-01T10:00:59.999Z",
  "2026-01-01T10:01:00.000Z",
  "2030-01-01T00:00:00Z",
  "1960-01-01T00:00:00Z",
  "1960-01-01T00:00:01Z",
  "no date",
);
const anyId = fc.constantFrom("a", "b", "c", "d", "a-2");
const words = fc.constantFrom("red", "green", "blue", "greenish", "東京");
const anyText = fc.array(words, { maxLength: 4 }).map((some) => some.join(" "));
const anyTexts = fc.array(anyText, { maxLength: 4 });
const op: fc.Arbitrary<Op> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ op: fc.constant("put"), id: anyId, started: anyStart, texts: anyTexts }),
  },
  { weight: 3, arbitrary: fc.record({ op: fc.constant("append"), id: anyId, texts: anyTexts }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant("grow"), id: anyId, text: anyText }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constant("remove"), id: anyId }) },
);
const queries = ["red", "green", "gre*", "red green", '"red green"', "京", "東京 blue"].map(parseQuery);

const chunkOf = (text: string, n: number): SearchChunk => ({
  start: n * 100,
  end: n * 100 + 100,
  line: n,
  phase: `phase-${n}`,
  title: `Title ${n}`,
  text,
});

function putFrom(search: SqliteSearch, session_id: string, { started, texts }: Model, from: number): void {
  const check = JSON.stringify(texts);
  search.put(
    { session_id, started, check },
    from,
    texts.map(chunkOf).filter(({ start }) => start >= from),
  );
}

/** Does to the search what a caller does: whole sessions, and after an append only what follows the tail. */
function apply(search: SqliteSearch, sessions: Map<string, Model>, change: Op): void {
  const before = sessions.get(change.id);
  if (change.op === "remove") {
    sessions.delete(change.id);
    search.remove(change.id);
  } else if (change.op === "put") {
    sessions.set(change.id, change);
    putFrom(search, change.id, change, 0);
  } else if (before) {
    const texts = change.op === "append" ? [...before.texts, ...change.texts] : grown(before.texts, change.text);
    const after = { ...before, texts };
    sessions.set(change.id, after);
    const tail = search.tail({ session_id: change.id, started: after.started });
    assert.equal(tail?.start, before.texts.length > 0 ? (before.texts.length - 1) * 100 : undefined);
    putFrom(search, change.id, after, tail?.start ?? 0);
  }
}

const grown = (texts: string[], more: string) => [...texts.slice(0, -1), `${texts.at(-1) ?? ""} ${more}`];

/** What the port promises, said plainly. */
function expected(sessions: Map<string, Model>, query: (typeof queries)[number]): ChunkRef[] {
  const ms = (model: Model) => Date.parse(model.started) || 0;
  const order = ([a, x]: [string, Model], [b, y]: [string, Model]) => ms(y) - ms(x) || (a < b ? 1 : -1);
  return [...sessions].sort(order).flatMap(([session_id, { texts }]) =>
    texts
      .map(chunkOf)
      .toReversed()
      .filter((chunk) => matchEntry(query, chunk.text))
      .map(({ text: _text, ...ref }) => ({ session_id, ...ref })),
  );
}

function expectAnswers(search: SqliteSearch, sessions: Map<string, Model>): void {
  expect([...search.ids()]).toEqual([...sessions.keys()].sort());
  for (const [id, { texts }] of sessions) expect(search.check(id)).toBe(JSON.stringify(texts));
  for (const query of queries) {
    const refs = expected(sessions, query);
    expect([...search.query(query)]).toEqual(refs);
    for (const id of sessions.keys()) {
      expect([...search.query(query, id)]).toEqual(refs.filter(({ session_id }) => session_id === id));
    }
  }
}

test("S7 S12 any history that leads to the same sessions gives the answers of a fresh build", () => {
  fc.assert(
    fc.property(fc.array(op, { maxLength: 25 }), (changes) => {
      const search = new SqliteSearch(mkdtempSync(join(root, "history-")));
      const sessions = new Map<string, Model>();
      for (const change of changes) apply(search, sessions, change);
      expectAnswers(search, sessions);
      search.settle();
      expectAnswers(search, sessions);
      search.reset();
      for (const [id, model] of sessions) putFrom(search, id, model, 0);
      expectAnswers(search, sessions);
      search.close();
    }),
    { numRuns: 60 },
  );
});

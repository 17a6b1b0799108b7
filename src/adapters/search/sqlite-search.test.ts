import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SearchIndex } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import { parseQuery } from "../../session/search/query.ts";
import { SqliteSearch } from "./sqlite-search.ts";

let folder: string;
let search: SqliteSearch;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-search-"));
  search = new SqliteSearch(folder);
});
afterEach(() => {
  search.close();
  rmSync(folder, { recursive: true });
});

/** Chunks of ten bytes each. */
const chunks = (texts: string[], from = 0): SearchChunk[] =>
  texts.map((text, i) => ({
    start: from + i * 10,
    end: from + i * 10 + 10,
    line: from / 10 + i,
    phase: `phase-${from / 10 + i}`,
    title: "Research",
    text,
  }));
const put = (id: string, started: string, texts: string[], from = 0) =>
  search.put({ session_id: id, started, check: `${id}:${from}` }, from, chunks(texts, from));
const places = (text: string, within?: string, index: SearchIndex = search) =>
  Array.from(index.query(parseQuery(text), within), ({ session_id, start }) => `${session_id}@${start}`);

test("S12 hits name session, phase and place, newest session first and last chunk first", () => {
  put("old", "2026-01-01T10:00:00Z", ["the gate", "a gate"]);
  put("new", "2026-03-01T10:00:00Z", ["gate"]);
  put("mid", "2026-02-01T10:00:00Z", ["nothing", "gate", "nothing"]);
  expect(places("gate")).toEqual(["new@0", "mid@10", "old@10", "old@0"]);
  expect([...search.query(parseQuery("gate"), "mid")]).toEqual([
    { session_id: "mid", start: 10, end: 20, line: 1, phase: "phase-1", title: "Research" },
  ]);
});

test("S12 sessions of the same moment are ordered by id, whatever came first", () => {
  const started = "2026-01-01T10:00:00.000Z";
  for (const id of ["c", "a", "d", "b"]) put(id, started, ["gate", "gate"]);
  put("later", "2026-01-01T10:00:00.001Z", ["gate"]);
  put("earlier", "2026-01-01T10:59:59.999+01:00", ["gate"]);
  put("a", started, ["more gate"], 20);
  expect(places("gate")).toEqual([
    "later@0",
    "d@10",
    "d@0",
    "c@10",
    "c@0",
    "b@10",
    "b@0",
    "a@20",
    "a@10",
    "a@0",
    "earlier@0",
  ]);
  expect(places("gate", "b")).toEqual(["b@10", "b@0"]);
});

test("S12 many hits come in order over all pages", () => {
  put("old", "2026-01-01T10:00:00Z", Array<string>(3000).fill("gate"));
  put("new", "2026-01-02T10:00:00Z", Array<string>(100).fill("gate"));
  const expected = [...Array(100).keys()].toReversed().map((n) => `new@${n * 10}`);
  expected.push(...[...Array(3000).keys()].toReversed().map((n) => `old@${n * 10}`));
  expect(places("gate")).toEqual(expected);
});

test("S7 an append puts anew only from the last chunk on", () => {
  const started = "2026-01-01T10:00:00Z";
  put("one", started, ["alpha", "beta"]);
  expect(search.tail({ session_id: "one", started })).toMatchObject({ session_id: "one", start: 10, phase: "phase-1" });
  put("one", started, ["beta gamma", "delta"], 10);
  expect(places("alpha")).toEqual(["one@0"]);
  expect(places("beta")).toEqual(["one@10"]);
  expect(places("gamma beta")).toEqual(["one@10"]);
  expect(places("delta")).toEqual(["one@20"]);
  expect(search.check("one")).toBe("one:10");
});

test("S7 a session whose start changed must be put as a whole", () => {
  put("one", "2026-01-01T10:00:00Z", ["alpha"]);
  put("two", "2026-01-02T10:00:00Z", ["alpha"]);
  const started = "2026-01-03T10:00:00Z";
  expect(search.tail({ session_id: "one", started })).toBeUndefined();
  expect(() => put("one", started, ["beta"], 10)).toThrow(/as a whole/);
  put("one", started, ["alpha"]);
  expect(places("alpha")).toEqual(["one@0", "two@0"]);
});

test("S7 a session put anew or removed leaves nothing behind", () => {
  put("one", "2026-01-01T10:00:00Z", ["alpha", "beta"]);
  put("one", "2026-01-01T10:00:00Z", ["gamma"]);
  expect([places("alpha"), places("beta"), places("gamma")]).toEqual([[], [], ["one@0"]]);
  search.remove("one");
  search.remove("one");
  expect(places("gamma")).toEqual([]);
  expect([search.check("one"), search.ids(), places("gamma", "one")]).toEqual([undefined, [], []]);
});

test("S7 a session without text is in the search all the same", () => {
  put("one", "2026-01-01T10:00:00Z", []);
  expect(search.check("one")).toBe("one:0");
  expect(search.tail({ session_id: "one", started: "2026-01-01T10:00:00Z" })).toBeUndefined();
  expect([search.ids(), places("x", "one")]).toEqual([["one"], []]);
});

test("S7 the state of the index that was seen is kept, and replaced as a whole", () => {
  search.setSeen([
    { name: "2026-01", check: "x" },
    { name: "2026-02", check: "y" },
  ]);
  search.setSeen([{ name: "2026-02", check: "z" }]);
  expect(new SqliteSearch(folder).seen()).toEqual(new Map([["2026-02", "z"]]));
});

test("S7 a transaction that fails changes nothing", () => {
  put("one", "2026-01-01T10:00:00Z", ["alpha"]);
  const work = () => {
    search.remove("one");
    put("two", "2026-01-01T10:00:00Z", ["alpha"]);
    throw new Error("stop");
  };
  expect(() => search.transaction(work)).toThrow("stop");
  expect(places("alpha")).toEqual(["one@0"]);
});

test("S12 another reader sees whole transactions, also while one is under way", () => {
  const reader = new SqliteSearch(folder);
  search.transaction(() => {
    put("one", "2026-01-01T10:00:00Z", ["alpha"]);
    expect(places("alpha", undefined, reader)).toEqual([]);
  });
  expect(places("alpha", undefined, reader)).toEqual(["one@0"]);
  reader.close();
});

test("S12 the search can change while its hits are being read", () => {
  for (let day = 1; day <= 9; day++) put(`s${day}`, `2026-01-0${day}T10:00:00Z`, Array<string>(100).fill("alpha"));
  const seen = new Set<string>();
  for (const { session_id } of search.query(parseQuery("alpha"))) {
    if (!seen.has(session_id)) search.remove("s1");
    seen.add(session_id);
  }
  expect([...seen]).toEqual(["s9", "s8", "s7", "s6", "s5", "s4", "s3", "s2"]);
});

test("S7 a writer that is killed in the middle leaves the search as it was", () => {
  put("one", "2026-01-01T10:00:00Z", ["alpha"]);
  const sqlite = createRequire(import.meta.url).resolve("@photostructure/sqlite");
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".db")) ?? "");
  const program = `
    const { DatabaseSync } = require(${JSON.stringify(sqlite)});
    const db = new DatabaseSync(${JSON.stringify(file)});
    db.exec("PRAGMA cache_size = 1; BEGIN IMMEDIATE; DELETE FROM session; DELETE FROM chunk; DELETE FROM words");
    process.kill(process.pid, "SIGKILL");`;
  expect(spawnSync(process.execPath, ["-e", program]).signal).toBe("SIGKILL");
  expect(places("alpha")).toEqual(["one@0"]);
  put("two", "2026-01-02T10:00:00Z", ["alpha"]);
  expect(places("alpha")).toEqual(["two@0", "one@0"]);
});

test("S12 hostile and very long queries are only words", () => {
  put("one", "2026-01-01T10:00:00Z", [Array.from({ length: 100 }, (_, i) => `w${i}`).join(" NEAR ")]);
  expect(places(Array.from({ length: 100 }, (_, i) => `w${i}`).join(" "))).toEqual(["one@0"]);
  expect(places('text : "w1 NEAR w2" -w3 ( AND near')).toEqual([]);
  expect(places('"w1 NEAR w2" -w3 ( near*')).toEqual(["one@0"]);
});

import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { SearchDamaged } from "../../app/search/ports.ts";
import type { SearchChunk } from "../../session/search-chunks.ts";
import { parseQuery } from "../../session/search/query.ts";
import { SqliteSearch } from "./sqlite-search.ts";

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), "clew-search-file-"))));
afterEach(() => rmSync(root, { recursive: true }));

const chunk = (text: string, n = 0): SearchChunk => ({ start: n, end: n + 1, line: n, phase: "p", title: "T", text });
const files = (folder: string) => readdirSync(folder).filter((name) => name.endsWith(".db"));
const sessions = (search: SqliteSearch) =>
  Array.from(search.query(parseQuery("alpha")), ({ session_id }) => session_id);

function fill(search: SqliteSearch): void {
  search.transaction(() => {
    const texts = Array.from({ length: 500 }, (_, n) => chunk(`alpha word${n} ${"filler ".repeat(50)}${n * 7}`, n));
    search.put({ session_id: "one", started: "2026-01-01T10:00:00Z", check: "x" }, 0, texts);
    search.setSeen([{ name: "2026-01", check: "y" }]);
  });
}

/** The bytes of a filled search, all in one file. */
function filledBytes(): Buffer {
  const folder = join(root, "source");
  const search = new SqliteSearch(folder);
  fill(search);
  const db = new DatabaseSync(join(folder, files(folder)[0] ?? ""));
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  search.close();
  return readFileSync(join(folder, files(folder)[0] ?? ""));
}

function folderWith(name: string, bytes: Uint8Array): string {
  const folder = join(root, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "search.1.db"), bytes);
  return folder;
}

test("S12 what was put is there after opening again", () => {
  const search = new SqliteSearch(folderWith("again", filledBytes()));
  expect(sessions(search)).toHaveLength(500);
  expect([search.ids(), search.seen()]).toEqual([["one"], new Map([["2026-01", "y"]])]);
});

test("S12 a file that is no search, or of another version, gives way to an empty one", () => {
  const good = filledBytes();
  const otherVersion = Buffer.from(good);
  otherVersion.writeUInt32BE(99, 60);
  const foreign = Buffer.from(good);
  foreign.writeUInt32BE(0, 68);
  const bad = { text: Buffer.from("not a database ".repeat(500)), torn: good.subarray(0, 5000), otherVersion, foreign };
  for (const [name, bytes] of Object.entries(bad)) {
    const folder = folderWith(name, bytes);
    const search = new SqliteSearch(folder);
    expect([name, search.ids(), search.seen().size, files(folder)]).toEqual([name, [], 0, ["search.2.db"]]);
    fill(search);
    search.close();
    expect([name, sessions(new SqliteSearch(folder)).length]).toEqual([name, 500]);
  }
});

test("S12 an empty file becomes a search", () => {
  const search = new SqliteSearch(folderWith("empty", new Uint8Array()));
  fill(search);
  expect(sessions(search)).toHaveLength(500);
});

test("S12 damage that is met later is told, and after a reset the search is empty and works", () => {
  const bytes = filledBytes();
  bytes.fill(0x5a, 4096 * 3);
  const folder = folderWith("later", bytes);
  const search = new SqliteSearch(folder);
  expect(() => sessions(search)).toThrow(SearchDamaged);
  expect(() => fill(search)).toThrow(SearchDamaged);
  search.reset();
  expect([search.ids(), search.seen().size, sessions(search)]).toEqual([[], 0, []]);
  fill(search);
  expect(sessions(search)).toHaveLength(500);
  expect(files(folder)).toEqual(["search.2.db"]);
});

test("S12 damage to any part of the file is told, or does no harm", () => {
  const good = filledBytes();
  for (let at = 0; at < good.length; at += 4096 * 3) {
    const bytes = Buffer.from(good);
    bytes.fill(0xff, at, Math.min(at + 4096, bytes.length));
    const search = new SqliteSearch(folderWith(`at-${at}`, bytes));
    expect(outcome(search)).toMatch(/^(damaged|(one)*)$/);
    search.close();
  }
});

function outcome(search: SqliteSearch): string {
  try {
    const found = sessions(search).join("");
    fill(search);
    return found;
  } catch (error) {
    return error instanceof SearchDamaged ? "damaged" : String(error);
  }
}

test("S12 two that reset the same search end up in one, and leftovers are removed", () => {
  const folder = join(root, "both");
  const first = new SqliteSearch(folder);
  const second = new SqliteSearch(folder);
  first.reset();
  fill(first);
  copyFileSync(join(folder, "search.2.db"), join(folder, "search.1.db"));
  second.reset();
  expect(sessions(second)).toHaveLength(500);
  second.close();
  first.close();
  expect(sessions(new SqliteSearch(folder))).toHaveLength(500);
  expect(files(folder)).toEqual(["search.2.db"]);
});

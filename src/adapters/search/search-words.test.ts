import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { matchEntry } from "../../session/search/match.ts";
import { parseQuery } from "../../session/search/query.ts";
import { searchWords } from "../../session/search/words.ts";
import { SqliteSearch } from "./sqlite-search.ts";

let folder: string;
let search: SqliteSearch;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "clew-search-words-"));
  search = new SqliteSearch(folder);
});
afterAll(() => {
  search.close();
  rmSync(folder, { recursive: true });
});

const common = ["a", "ab", "abc", "Abc", "ábc", "42", "cafe", "café", "cafe\u0301", "Ωmega", "σας", "ΣΑΣ", "мир", "Ёж"];
const solid = [
  "東",
  "京",
  "東京",
  "ワー",
  "が",
  "か",
  "か\u3099",
  "ｶﾞ",
  "한국",
  "한국".normalize("NFD"),
  "ㄱㅏ",
  "ที่",
  "हिन्दी",
];
const odd = [
  "👍🏽",
  "👩‍💻",
  "→",
  "_",
  "-",
  "/",
  "\0",
  "\u00ad",
  "\u200b",
  "\u200d",
  "\ud800",
  "\ue000",
  "½",
  "ﬁ",
  "İ",
  "\u0301",
];
const hostile = [
  '"',
  "'",
  "*",
  "NEAR",
  "AND",
  "NOT",
  "(",
  ")",
  "{",
  "^",
  ":",
  "text:",
  "+",
  "NEAR(a b, 2)",
  "--",
  ";",
  "\\",
];
const space = [" ", " ", "\n", "\u3000"];
const part = fc.oneof(...[common, common, solid, odd, hostile, space, space].map((words) => fc.constantFrom(...words)));
const anyText = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: part }, { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 4 }) }),
    {
      maxLength: 24,
    },
  )
  .map((parts) => parts.join(""));
const typed = fc.array(fc.oneof(part, fc.constantFrom('"', "* ", "a*")), { minLength: 1, maxLength: 5 });
const anyQuery = typed.map((parts) => parts.join("")).filter((query) => searchWords(query).length > 0);

test("S12 the search and the highlighter agree on what matches", () => {
  let matches = 0;
  fc.assert(
    fc.property(anyText, fc.array(anyQuery, { minLength: 1, maxLength: 8 }), (text, queries) => {
      const chunk = { start: 0, end: 1, line: 0, phase: "phase-1", title: "Words", text };
      search.put({ session_id: "one", started: "2026-01-01T10:00:00Z", check: "x" }, 0, [chunk]);
      for (const query of [...queries, ...substrings(text)].map(parseQuery)) {
        const found = [...search.query(query)].length > 0;
        if (found) matches++;
        expect({ query, found }).toEqual({ query, found: matchEntry(query, text) !== null });
      }
    }),
    { numRuns: 400 },
  );
  expect(matches).toBeGreaterThan(400);
});

/** Some stretches of the text as queries: these should often match. */
function substrings(text: string): string[] {
  const cuts = [text.slice(0, 3), text.slice(2, 8), `"${text.slice(1, 9)}"`, `${text.slice(0, 2)}*`];
  return cuts.filter((cut) => searchWords(cut).length > 0);
}

test("S12 any stretch of Chinese, Japanese, Korean or Thai is found", () => {
  const text = "東京タワーに行きました。한국어를 배웁니다. ที่นี่ประเทศไทย";
  const chunk = { start: 0, end: 1, line: 0, phase: "phase-1", title: "Words", text };
  search.put({ session_id: "one", started: "2026-01-01T10:00:00Z", check: "x" }, 0, [chunk]);
  const isFound = (stretch: string) => [...search.query(parseQuery(stretch))].length > 0;
  const inside = ["京タ", "行きま", "국어", "를 배", "ประเทศ", "ไทย"];
  expect(inside.filter(isFound)).toEqual(inside);
  expect(["京東", "東タ", "어국"].filter(isFound)).toEqual([]);
});

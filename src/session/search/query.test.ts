import { expect, test } from "vitest";
import { ClewError } from "../../contract/errors.ts";
import { parseQuery } from "./query.ts";
import { toFts } from "./to-fts.ts";

const fts = (text: string) => toFts(parseQuery(text));

test("S12 words must all occur, quoted ones next to each other, a star stands for the rest of a word", () => {
  expect(fts("Lock  timeout")).toBe('"lock" AND "timeout"');
  expect(fts('"merge conflict" gate')).toBe('"merge conflict" AND "gate"');
  expect(fts("conf* x")).toBe('"conf" * AND "x"');
  expect(fts('"merge conf"*')).toBe('"merge conf" *');
});

test("S12 a name with signs in it is a phrase, also when only begun", () => {
  expect(fts("src/app/ports.ts")).toBe('"src app ports ts"');
  expect(fts("foo-ba*")).toBe('"foo ba" *');
  expect(fts("東京タワー")).toBe('"東 京 タ ワ ー"');
});

test("S12 query syntax of the engine is data", () => {
  expect(fts("a AND b OR NOT(c)")).toBe('"a" AND "and" AND "b" AND "or" AND "not c"');
  expect(fts("text:x NEAR(a b, 2) ^y {z}")).toBe('"text x" AND "near a" AND "b" AND "2" AND "y" AND "z"');
  expect(fts('it"s "open')).toBe('"it s" AND "open"');
  expect(fts("a* b- * c-* d**")).toBe('"a" * AND "b" AND "c" AND "d"');
});

test("S12 a term given twice counts once", () => {
  expect(fts("Lock lock LOCK lock*")).toBe('"lock" AND "lock" *');
});

test("S12 a search without words or with too many is refused", () => {
  for (const text of ["", "  ", '""', "* -> …", "\0", "👍"]) {
    expect(() => parseQuery(text)).toThrow(ClewError);
  }
  expect(() => parseQuery("…")).toThrow(expect.objectContaining({ code: "invalid_input" }));
  expect(() => parseQuery(Array.from({ length: 101 }, (_, i) => `w${i}`).join(" "))).toThrow(/101 words/);
});

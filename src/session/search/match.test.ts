import { expect, test } from "vitest";
import { matchEntry } from "./match.ts";
import { parseQuery } from "./query.ts";

const found = (query: string, text: string) =>
  matchEntry(parseQuery(query), text)?.map(({ start, end }) => text.slice(start, end)) ?? null;

test("S12 an entry matches when all terms occur, wherever they stand", () => {
  expect(found("gate merge", "Merge refused: the gate is shut; merge later")).toEqual(["Merge", "gate", "merge"]);
  expect(found("gate merge", "the gate is shut")).toBeNull();
});

test("S12 a phrase needs its words in a row; what parts them does not matter", () => {
  expect(found('"exit code"', "exit  code, code exit, exit-\ncode")).toEqual(["exit  code", "exit-\ncode"]);
  expect(found("src/app", "see src/app/x.ts and srcapp")).toEqual(["src/app"]);
  expect(found('"exit code"', "exit with code")).toBeNull();
});

test("S12 a star matches the beginning of a word only", () => {
  expect(found("conf*", "config, conf and reconf")).toEqual(["config", "conf"]);
  expect(found("conf", "config")).toBeNull();
});

test("S12 matching ignores case and accents and marks whole letters", () => {
  expect(found("cafe", "CAFÉ cafe\u0301.")).toEqual(["CAFÉ", "cafe\u0301"]);
  expect(found("京タ", "東京タワー")).toEqual(["京タ"]);
});

test("S12 marked stretches do not overlap", () => {
  expect(found('"a b" "b c" b*', "a b c bb")).toEqual(["a b c", "bb"]);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { IdSetCheck } from "./id-set.ts";

function fingerprint(ids: Iterable<string>): string {
  const check = new IdSetCheck();
  for (const id of ids) check.add(id);
  return check.fingerprint();
}

test("S11 the order of the ids does not matter, and parts add up", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: "grapheme" })), fc.nat(20), (ids, at) => {
      const parts = new IdSetCheck();
      parts.addSet(fingerprint(ids.slice(0, at)));
      parts.addSet(fingerprint(ids.slice(at)));
      expect(parts.fingerprint()).toBe(fingerprint(ids.toReversed()));
    }),
  );
});

test("S11 no two ids out of many look alike, in neither half", () => {
  const ids = Array.from({ length: 20_000 }, (_, n) => `2026-01-${String((n % 28) + 1).padStart(2, "0")}-fix-${n}`);
  const prints = ids.map((id) => fingerprint([id]));
  expect(new Set(prints).size).toBe(ids.length);
  for (const half of [prints.map((print) => print.slice(0, 8)), prints.map((print) => print.slice(8))]) {
    expect(ids.length - new Set(half).size).toBeLessThan(5);
  }
});

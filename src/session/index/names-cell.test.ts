import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileTexts } from "./hostile-texts.fixture.ts";
import { joinNames, joinShares, splitNames, splitShares, writeName } from "./names-cell.ts";

const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "grapheme", maxLength: 12 }), fc.string());

test("S11 plain names are joined by a space", () => {
  expect(joinNames(["coder@1.2", "@org/reviewer@2"])).toBe("coder@1.2 @org/reviewer@2");
});

test("S11 every list of names comes back, and each name is found in the cell", () => {
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 4 }), (names) => {
      const cell = joinNames(names);
      expect(splitNames(cell)).toEqual(names);
      for (const name of names) expect(cell).toContain(writeName(name));
    }),
  );
});

test("W9 what a session used comes back, share by share", () => {
  const named = { agent: "coder@2", channel: "dev", engine: "claude", bead: "a b" };
  const shares = [
    { ...named, tokens: 1200, cost_micro_usd: 4200 },
    { agent: null, channel: null, engine: null, bead: null, tokens: null, cost_micro_usd: 0 },
    { ...named, agent: null, tokens: -3, cost_micro_usd: null },
  ];
  expect(joinShares(shares.slice(0, 1))).toBe("coder@2 dev claude a%20b 1200 4200");
  expect(splitShares(joinShares(shares))).toEqual(shares);
  expect(splitShares(joinShares([]))).toEqual([]);
});

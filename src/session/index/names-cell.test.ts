import fc from "fast-check";
import { expect, test } from "vitest";
import { hostileTexts } from "./hostile-texts.fixture.ts";
import { joinNames, splitNames, writeName } from "./names-cell.ts";

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

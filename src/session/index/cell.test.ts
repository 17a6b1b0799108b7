import { decode, encode } from "@toon-format/toon";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ToonCell, escapeText, readCells, writeCell, writeLine } from "./cell.ts";
import { IndexDamaged } from "./damaged.ts";
import { hostileTexts } from "./hostile-texts.fixture.ts";

const anyText = fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: "grapheme", maxLength: 12 }), fc.string());
const anyCell: fc.Arbitrary<ToonCell> = fc.oneof(
  anyText,
  fc.double(),
  fc.integer(),
  fc.constantFrom(0, -0, 1e21, 1e-7, Infinity, -Infinity, Number.NaN, Number.MAX_SAFE_INTEGER),
  fc.boolean(),
  fc.constant(null),
);

/** What a reader of text gets for a cell. */
const asRead = (cell: ToonCell): string | null =>
  typeof cell === "string" ? cell : writeCell(cell) === "null" ? null : writeCell(cell);

test("S11 cells are written exactly as the TOON library writes them", () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 2, maxLength: 6 }), (cells) => {
      const row = Object.fromEntries(cells.map((cell, column) => [`c${column}`, cell]));
      expect(`  ${writeLine(cells)}`).toBe(encode({ rows: [row] }).split("\n")[1]);
    }),
    { numRuns: 2000 },
  );
});

test.each(hostileTexts)("S11 the text %j comes back, also through the TOON library", (text) => {
  const line = writeLine(["x", text, text]);
  expect(readCells(line)).toEqual(["x", text, text]);
  expect(decode(`rows[1]{a,b,c}:\n  ${line}`)).toEqual({ rows: [{ a: "x", b: text, c: text }] });
});

test("S11 cells come back, and the first of them without the rest", () => {
  fc.assert(
    fc.property(fc.array(anyCell, { minLength: 1, maxLength: 6 }), (cells) => {
      const read = cells.map(asRead);
      expect(readCells(writeLine(cells))).toEqual(read);
      expect(readCells(writeLine(cells), 1)).toEqual(read.slice(0, 1));
    }),
    { numRuns: 2000 },
  );
});

test("S11 the escaped form of a part is a part of the escaped whole", () => {
  fc.assert(
    fc.property(anyText, anyText, anyText, (before, part, after) => {
      expect(writeCell(before + part + after)).toContain(escapeText(part));
    }),
  );
});

test.each(['"open', '"a"b,c', '"a\\"'])("S11 the broken line %s is damage", (line) => {
  expect(() => readCells(line)).toThrow(IndexDamaged);
});

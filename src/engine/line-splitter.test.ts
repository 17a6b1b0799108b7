import fc from "fast-check";
import { expect, test } from "vitest";
import { createLines, longestLine } from "./line-splitter.ts";

function split(chunks: string[]): { lines: string[]; pieces: number; oversized: number[] } {
  const lines: string[] = [];
  const oversized: number[] = [];
  let pieces = 0;
  const splitter = createLines({
    onLine: (line) => lines.push(line),
    onPiece: (piece) => (pieces += piece.length),
    onOversized: (chars) => oversized.push(chars),
  });
  chunks.forEach((chunk) => splitter.push(chunk));
  splitter.end();
  return { lines, pieces, oversized };
}

test("W4 lines are the same however their text is split; the last needs no end", () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "ü", "{", "\n", "\r\n"), maxLength: 8 }));
  fc.assert(
    fc.property(chunks, (parts) => {
      const whole = parts.join("").split("\n");
      const expected = whole.at(-1) === "" ? whole.slice(0, -1) : whole;
      expect(split(parts).lines).toEqual(expected);
    }),
  );
});

test("W4 a line that is too long comes whole, in pieces, and those around it as lines", () => {
  const piece = "x".repeat(1024 * 1024);
  const chunks = ["before\n", ...Array.from({ length: longestLine / piece.length }, () => piece)];
  expect(split([...chunks, "\nafter\n"]).lines.map(({ length }) => length)).toEqual([6, longestLine, 5]);
  const chars = longestLine + 1 + piece.length;
  expect(split([...chunks, "x", piece, "\nafter\n"])).toEqual({
    lines: ["before", "after"],
    pieces: chars,
    oversized: [chars],
  });
  expect(split([...chunks, "x"])).toEqual({
    lines: ["before"],
    pieces: longestLine + 1,
    oversized: [longestLine + 1],
  });
});

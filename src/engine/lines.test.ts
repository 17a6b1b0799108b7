import fc from "fast-check";
import { expect, test } from "vitest";
import { createLines, longestLine } from "./lines.ts";

function split(chunks: string[]): { lines: string[]; tooLong: number } {
  const lines: string[] = [];
  let tooLong = 0;
  const splitter = createLines({ onLine: (line) => lines.push(line), onTooLong: () => (tooLong += 1) });
  chunks.forEach((chunk) => splitter.push(chunk));
  splitter.end();
  return { lines, tooLong };
}

test("W4 lines are the same however their text is split; the last needs no end", () => {
  const chunks = fc.array(fc.string({ unit: fc.constantFrom("a", "ü", "{", "\n", "\r\n"), maxLength: 8 }));
  fc.assert(
    fc.property(chunks, (parts) => {
      const whole = parts.join("").split("\n");
      const expected = whole.filter((line) => line !== "").map((line) => line.replace(/\r$/, ""));
      expect(split(parts).lines).toEqual(expected);
    }),
  );
});

test("W4 a line that is too long is passed over, and those around it are not", () => {
  const piece = "x".repeat(1024 * 1024);
  const chunks = ["before\n", ...Array.from({ length: longestLine / piece.length }, () => piece)];
  expect(split([...chunks, "\nafter\n"]).lines.map(({ length }) => length)).toEqual([6, longestLine, 5]);
  expect(split([...chunks, "x", piece, "\nafter\n"])).toEqual({ lines: ["before", "after"], tooLong: 1 });
  expect(split([...chunks, "x"])).toEqual({ lines: ["before"], tooLong: 1 });
});

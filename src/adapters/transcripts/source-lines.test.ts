import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { sourceLines } from "./source-lines.ts";

const folder = mkdtempSync(join(tmpdir(), "clew-lines-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("W12 the lines of a file are the same, in pieces of any size", () => {
  const path = join(folder, "transcript.jsonl");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.integer({ min: 1, max: 64 }), (words, pieceBytes) => {
      const text = words.join("\n");
      writeFileSync(path, text);
      const lines = [...map(sourceLines(path, pieceBytes), ({ bytes, end }) => ({ text: bytes!.toString(), end }))];
      expect(lines.map((line) => line.text)).toEqual(text.split("\n").filter((line) => line !== ""));
      const bytes = Buffer.from(text);
      for (const line of lines)
        expect(bytes.subarray(0, line.end).toString().trimEnd().endsWith(line.text.trimEnd())).toBe(true);
    }),
  );
});

/** A line's bytes are valid until the next is asked for. */
function* map<T, U>(items: Iterable<T>, make: (item: T) => U): Generator<U> {
  for (const item of items) yield make(item);
}

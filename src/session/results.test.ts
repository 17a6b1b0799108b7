import fc from "fast-check";
import { expect, test } from "vitest";
import { cutWholeResult } from "./results.ts";

test("S3 of a result that is too long, head and tail stay, in any script", () => {
  const limit = 256 * 1024;
  fc.assert(
    fc.property(fc.constantFrom("a", "é", "漢", "😀"), fc.integer({ min: 60_000, max: 400_000 }), (letter, count) => {
      const result = `begin${letter.repeat(count)}the end`;
      const cut = cutWholeResult(result);
      expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(limit, 0));
      expect([cut.startsWith("begin"), cut.endsWith("the end"), cut.isWellFormed()]).toEqual([true, true, true]);
      if (Buffer.byteLength(result) > limit) expect(Buffer.byteLength(cut)).toBeGreaterThan(limit - 3_000);
      expect(cutWholeResult(cut)).toBe(cut);
    }),
    { numRuns: 60 },
  );
});

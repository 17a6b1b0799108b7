import fc from "fast-check";
import { expect, test } from "vitest";
import { estimateTokens, shorten } from "./tokens.ts";

const anyText = fc
  .array(fc.constantFrom("a", " ", "7", "{", "\n", "é", "e\u0301", "東", "👍", "👩‍👩‍👧‍👦", "\ud83d", "\udc4d"), {
    maxLength: 60,
  })
  .map((parts) => parts.join(""));

test("S10 the estimate is on the safe side for prose, code and scripts without spaces", () => {
  const prose = "The parser reads the file once and keeps what it has seen so far. ";
  expect(estimateTokens(prose)).toBeGreaterThan(prose.length / 4);
  expect(estimateTokens('{"path":"a/b.ts","line":12}')).toBeGreaterThan(27 / 3);
  expect(estimateTokens("東京都")).toBeGreaterThan(3);
  expect(estimateTokens("👍")).toBe(2);
  expect(estimateTokens("")).toBe(0);
});

test("S10 parts can be budgeted one by one: a whole never costs more than its parts, and never less than one", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      const whole = estimateTokens(a + b);
      expect(whole).toBeLessThanOrEqual(estimateTokens(a) + estimateTokens(b));
      expect(whole).toBeGreaterThanOrEqual(Math.max(estimateTokens(a), estimateTokens(b)));
    }),
  );
});

test("S10 a shortened text is a beginning within the limit, cut between graphemes", () => {
  expect(shorten("a short text", 4)).toBe("a short text");
  expect(shorten("a text that is too long", 4)).toBe("a text…");
  expect(shorten("👩‍👩‍👧‍👦👩‍👩‍👧‍👦", 15)).toBe("👩‍👩‍👧‍👦…");
  const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 20 }), (text, limit) => {
      const short = shorten(text, limit);
      expect(estimateTokens(short)).toBeLessThanOrEqual(limit);
      if (short === text) return;
      const kept = graphemes(short.slice(0, -1));
      expect(graphemes(text).slice(0, kept.length)).toEqual(kept);
    }),
  );
});

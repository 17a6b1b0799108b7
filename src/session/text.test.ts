import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemesOf } from "./text.ts";

const signs = [
  "a",
  "e\u0301",
  "\u0301",
  "👨‍👩‍👧",
  "\u{1f1e6}",
  "한",
  "ᄀ",
  "ᅡ",
  "\r",
  "\n",
  "\u200d",
  "क",
  "्",
  "ष",
  "\ud83d",
];

test("S12 a text in pieces has the graphemes that it has as a whole", () => {
  const texts = fc.array(fc.tuple(fc.constantFrom(...signs), fc.constantFrom(1, 2, 3, 600, 1023)), { maxLength: 12 });
  fc.assert(
    fc.property(texts, (parts) => {
      const text = parts.map(([sign, times]) => sign.repeat(times)).join("");
      const whole = Array.from(new Intl.Segmenter("en").segment(text), ({ segment, index }) => ({ segment, index }));
      expect([...graphemesOf(text)]).toEqual(whole);
    }),
  );
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { graphemeBorder, graphemes } from "./graphemes.ts";

const parts = "a|1| |\r|\n|e\u0301|\u0301|👩‍💻|🇦|🇶|東|한|\u11a8|ท่ี|\u0600|\u200d|→|✔\ufe0f|é|Я";
const part = fc.constantFrom(...parts.split("|"));
const anyText = fc.array(fc.oneof(part, fc.string({ unit: "binary", maxLength: 2 }))).map((some) => some.join(""));
const byIcu = (text: string) => Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);

test("S12 graphemes are those of Unicode", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(graphemes(text)).toEqual(byIcu(text));
    }),
    { numRuns: 1000 },
  );
});

test("S12 characters that count as plain never join each other", () => {
  for (let start = 0; start < 0x10000; start += 256) {
    const codes = Array.from({ length: 256 }, (_, i) => String.fromCharCode(start + i));
    const text = codes.map((code) => `${code}x${code}${code}→`).join("");
    expect(graphemes(text).join("|")).toBe(byIcu(text).join("|"));
  }
});

test("S12 a border between graphemes is never inside one", () => {
  const text = "ab👩‍💻e\u0301x";
  expect(Array.from(text, (_, place) => graphemeBorder(text, place))).toEqual([0, 1, 2, 2, 2, 2, 2, 7]);
  expect(graphemeBorder(text, 99)).toBe(text.length);
});

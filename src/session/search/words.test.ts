import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, foldPieces, foldPiece, splittable } from "./fold.ts";
import { searchWords } from "./words.ts";

const shown = (text: string) => searchWords(text).map(({ word }) => word);
const seen = (text: string) => searchWords(text).map(({ start, end }) => text.slice(start, end));

/** What FTS5's `ascii` tokenizer reads. */
const asciiSplit = (text: string) =>
  (text.match(/[a-zA-Z0-9\u{80}-\u{10ffff}]+/gu) ?? []).map((word) => word.replace(/[A-Z]/g, (c) => c.toLowerCase()));

test("S12 words are found without case, accents and compatibility forms", () => {
  expect(shown("Ｆｉｎé ﬁne Café cafe\u0301s")).toEqual(["fine", "fine", "cafe", "cafes"]);
  expect(shown("İstanbul STRAẞE ΣΑΣ ας")).toEqual(["istanbul", "straße", "σασ", "ασ"]);
  expect(shown("Ёлка שָׁלוֹם كِتَاب")).toEqual(["елка", "שלום", "كتاب"]);
});

test("S12 everything that is no letter, digit or mark parts words", () => {
  expect(shown("src/app_one.ts→x… “y”\0z 👍🏽\ud800q")).toEqual(["src", "app", "one", "ts", "x", "y", "z", "q"]);
  expect(shown("co\u00adoperate a\u200bb")).toEqual(["cooperate", "a", "b"]);
});

test("S12 scripts without spaces give a word per character", () => {
  expect(shown("API設計です")).toEqual(["api", "設", "計", "て\u3099", "す"]);
  expect(shown("がｶﾞ")).toEqual(["か\u3099", "カ\u3099"]);
  expect(shown("한글")).toEqual(shown("한글".normalize("NFD")));
  expect(searchWords("한글")).toHaveLength(2);
  expect(shown("ที่")).toEqual([..."ที่"]);
  expect(shown("हिन्दी में")).toEqual(["हिन्दी", "में"]);
});

test("S12 a word's place takes in its accents", () => {
  expect(seen("x Cafe\u0301! ﬁne")).toEqual(["x", "Cafe\u0301", "ﬁne"]);
  expect(seen("東京 ½")).toEqual(["東", "京", "½", "½"]);
});

const part = fc.constantFrom(
  "a",
  "é",
  "e\u0301",
  "Σ",
  "ﬁ",
  "東",
  "か\u3099",
  "ｶ",
  "ﾞ",
  "한",
  "ㄱ",
  "ㅏ",
  "ที่",
  "हि",
  "\ud800",
  "→",
  " ",
);
const anyText = fc.array(fc.oneof(part, fc.string({ unit: "binary", maxLength: 3 }))).map((parts) => parts.join(""));

test("S12 what the index is given splits into the same words as the highlighter sees", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(asciiSplit(splittable(text))).toEqual(shown(text));
    }),
    { numRuns: 1000 },
  );
});

test("S12 folding a text piece by piece gives the same as folding it whole", () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(text.replaceAll("\0", " ").replace(foldPieces, foldPiece).toLowerCase()).toBe(fold(text));
    }),
    // An invisible character between a mark and its voicing.
    { numRuns: 1000, examples: [["\u0e17\u0e35\u0e48\u{e0020}\uff9e"]] },
  );
});

test("S12 folding a folded word changes nothing, for every script and next to any neighbour", () => {
  const blocks = [0, 0x3400, 0xa000, 0xad00, 0xd700, 0xd800, 0xf900, 0x12000, 0x1d000, 0x1f300, 0x2f800, 0x2fa00];
  for (let start = 0; start < 0x2fa00; start += 256) {
    if (blocks.findLastIndex((border) => border <= start) % 2 === 1) continue;
    const letters = Array.from({ length: 256 }, (_, i) => String.fromCodePoint(start + i)).join(" x가か");
    const folded = shown(letters).join(" ");
    expect(shown(folded).join(" ")).toBe(folded);
    expect(asciiSplit(splittable(letters)).join(" ")).toBe(folded);
  }
});

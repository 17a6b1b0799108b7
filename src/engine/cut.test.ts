import fc from "fast-check";
import { expect, test } from "vitest";
import { cutJson, cutText } from "./cut.ts";

const texts = fc.string({ unit: "grapheme-composite", maxLength: 40 });

test("G15 a text within its bytes stays; a longer one is cut between letters, and says so", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 60 }), (text, bytes) => {
      const cut = cutText(text, bytes);
      if (Buffer.byteLength(text) <= bytes) {
        expect(cut).toBe(text);
        return;
      }
      const [, head = "?", rest = "?"] = /^([^]*)\n\[cut here: (\d+) more characters stand/.exec(cut) ?? [];
      expect(Buffer.byteLength(head)).toBeLessThanOrEqual(bytes);
      expect(text.startsWith(head)).toBe(true);
      expect(head.isWellFormed()).toBe(true);
      expect(head.length + Number(rest)).toBe(text.length);
    }),
  );
});

test("G15 an input that is too long becomes the beginning of its JSON", () => {
  const input = { path: "a", content: "x".repeat(100) };
  expect(cutJson(input, 200)).toBe(input);
  expect(cutJson(input, 20)).toMatch(/^\{"path":"a","content\n\[cut here: \d+ more/);
  expect(cutJson("x".repeat(30), 20)).toMatch(/^x{20}\n\[cut here: 10 more/);
});

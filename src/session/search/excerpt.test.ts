import fc from "fast-check";
import { expect, test } from "vitest";
import { excerpt } from "./excerpt.ts";
import { matchEntry } from "./match.ts";
import { parseQuery } from "./query.ts";

function shown(query: string, text: string, width: number): string {
  const { text: line, spans } = excerpt(text, matchEntry(parseQuery(query), text) ?? [], width);
  return spans.reduceRight((s, { start, end }) => `${s.slice(0, start)}[${s.slice(start, end)}]${s.slice(end)}`, line);
}
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);

test("S12 a short text is shown whole, on one line", () => {
  expect(shown("gate", "  the\n\n gate\t is \x1b shut\r\n", 80)).toBe("the [gate] is shut");
  expect(shown('"gate is"', "the gate\n is shut", 80)).toBe("the [gate is] shut");
});

test("S12 a long text is cut around the first match", () => {
  const text = `${"before ".repeat(50)}needle ${"after ".repeat(50)}needle`;
  expect(shown("needle", text, 30)).toBe("…before [needle] after after af…");
  expect(shown("before", text, 20)).toBe("[before] [before] [befor]…");
  expect(shown("after", `x ${"y".repeat(100)} after`, 12)).toBe("…yyyyy [after]");
});

test("S12 of several places, the one where all words stand near each other is shown", () => {
  const lines = Array.from({ length: 400 }, (_, at) => `number ${at}`).join("; ");
  expect(shown("number 399", lines, 40)).toContain("[number] [399]");
});

test("S12 a match longer than the line is shown from its beginning", () => {
  const word = "x".repeat(50);
  expect(shown(word, `lead ${word} tail`, 10)).toBe(`…[${"x".repeat(8)}]…`);
});

test("S12 an excerpt never cuts inside a grapheme, never grows past its width and shows the match", () => {
  const part = fc.constantFrom("a", "e\u0301", "👩‍💻", "🇦🇶", "東", " ", "\n", "\r\n", "한", "ท่ี", "needle", " needle ");
  const text = fc.array(part, { maxLength: 80 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, fc.integer({ min: 3, max: 40 }), (before, after, width) => {
      const whole = `${before} needle ${after}`;
      const { text: line, spans } = excerpt(whole, matchEntry(parseQuery("needle"), whole) ?? [], width);
      expect(graphemes(line).length).toBeLessThanOrEqual(width);
      expect(line).not.toMatch(/[\n\r\t]|  /);
      const known = new Set([...graphemes(whole), " ", "…"]);
      expect(graphemes(line).filter((cell) => !known.has(cell))).toEqual([]);
      const first = line.slice(spans[0]?.start, spans[0]?.end);
      expect(first).not.toBe("");
      expect("needle".startsWith(first.slice(0, 6))).toBe(true);
    }),
  );
});

test("S12 the middle of a very long text is shown like that of a short one", () => {
  const text = `${"word ".repeat(100_000)}needle${" word".repeat(100_000)}`;
  expect(shown("needle", text, 24)).toBe("…word [needle] word word …");
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { lookAhead } from "./finder.ts";
import { innocent } from "./fixtures/innocent.ts";
import { noise, pem, planted } from "./fixtures/planted.ts";
import { createRedactor } from "./redactor.ts";

const value = `v${noise(20)}+/ ä`;
const redactor = createRedactor({ env: { SOME_TOKEN: value, LONG_SECRET: noise(20_000, "base64") } });

/** What the stream gives for a text cut at these places. */
function streamed(text: string, cuts: number[]): string {
  const stream = redactor.stream();
  const places = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
  const pieces = places.slice(1).map((end, at) => stream.push(text.slice(places[at], end)));
  return [...pieces, stream.end()].join("");
}

const piece = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(...planted.flatMap(({ text, secret }) => [text, secret, secret.slice(0, -3)])),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(value, encodeURIComponent(value), Buffer.from(`x:${value}`).toString("base64")),
  },
  { weight: 2, arbitrary: fc.constantFrom(...innocent, "🧵", "\ud83e", "password=", "\\n", '"', "[redacted:jwt]") },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 30 }) },
);
const filler = fc.oneof(
  fc.constant(""),
  fc
    .integer({ min: 0, max: 2 * lookAhead + 500 })
    .map((length) => "The thread goes on. ".repeat(2_000).slice(0, length)),
  fc.integer({ min: 1, max: lookAhead + 500 }).map((length) => noise(length, "base64")),
);
const anyText = fc
  .array(fc.tuple(fc.array(piece, { maxLength: 6 }), filler), { maxLength: 4 })
  .map((parts) => parts.map(([pieces, fill]) => pieces.join("") + fill).join(""));

describe("D7 redaction of a stream", () => {
  test("D7 lines that came before a pause are given, and no secret with them", () => {
    const stream = redactor.stream();
    expect(stream.settle()).toBe("");
    expect(stream.push(`one\ntwo ${value}\nthr`)).toBe("");
    expect(stream.settle()).toBe("one\ntwo [redacted:env SOME_TOKEN]\n");
    expect(stream.settle()).toBe("");
    expect(stream.end()).toBe("thr");
  });

  test("D7 a private key that comes slowly is not given line by line", () => {
    const lines = `before\n${pem(1600)}\nafter\n`.split(/(?<=\n)/);
    const stream = redactor.stream();
    const given = lines.map((line) => stream.push(line) + stream.settle());
    expect(given.join("") + stream.end()).toBe(redactor.redact(lines.join("")));
  });

  test("D7 any text, cut anywhere, comes out as if it had come whole", () => {
    fc.assert(
      fc.property(anyText, fc.array(fc.nat(), { maxLength: 12 }), (whole, cuts) => {
        expect(streamed(whole, cuts)).toBe(redactor.redact(whole));
      }),
      { numRuns: 300 },
    );
  });

  test("D7 the same when it comes one character at a time", () => {
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }),
        filler,
        fc.array(piece, { maxLength: 30 }),
        (before, fill, after) => {
          const whole = before.join("") + fill + after.join("");
          expect(
            streamed(
              whole,
              Array.from({ length: whole.length }, (_, at) => at),
            ),
          ).toBe(redactor.redact(whole));
        },
      ),
      { numRuns: 20 },
    );
  });

  test("D7 each planted secret, wherever the edge of what is decided falls on it", () => {
    const before = ". ".repeat(lookAhead);
    const after = " .".repeat(lookAhead);
    const adjacent = `AIza${noise(35)}sk-${noise(40)}`;
    for (const planting of [...planted.map(({ text }) => text), adjacent, `${value}${value}`]) {
      const whole = before + planting + after;
      const redacted = redactor.redact(whole);
      const step = Math.max(1, Math.floor(planting.length / 60));
      for (let edge = -2; edge <= planting.length + 2; edge += step) {
        expect(streamed(whole, [before.length + edge + lookAhead])).toBe(redacted);
      }
    }
  });

  test.each([-400, -200, -1, 0, 1, 200, 4_000])("D7 a key block of the window's length %i", (more) => {
    const block = pem(Math.floor(((lookAhead + more) * 64) / 65));
    for (const whole of [
      `${block}\nafter`,
      `before\n${block}`,
      block.slice(0, -40),
      `${"x ".repeat(9_000)}${block} y`,
    ]) {
      const redacted = redactor.redact(whole);
      expect(redacted).toContain("[redacted:private-key]");
      for (const cuts of [[], [100], [lookAhead], [lookAhead + 1, 2 * lookAhead - 1], [whole.length - 20]]) {
        expect(streamed(whole, cuts)).toBe(redacted);
      }
    }
  });

  test("D7 keeps no more than two windows back, and never parts a surrogate pair", () => {
    const stream = redactor.stream();
    let given = "";
    for (let sent = 1; sent <= 40; sent++) {
      const output = stream.push("x🧵".repeat(1_001));
      expect(output.isWellFormed()).toBe(true);
      given += output;
      expect(sent * 3_003 - given.length).toBeLessThan(2 * lookAhead + 3_003);
    }
    expect(given + stream.end()).toBe("x🧵".repeat(40_040));
  });

  test("D7 a value of several lines that comes line by line is waited for, and lines that are none of it are not", () => {
    const { stream } = createRedactor({ env: { MULTI_SECRET: "first  half\nsecond-half9\nand a third" } });
    const slow = stream();
    const given = ["a line\n", "it begins: first  half\n", "second-half9\n", "and a third\n", "done\n"].map((text) => {
      const pushed = slow.push(text);
      return pushed + slow.settle();
    });
    expect(given).toEqual(["a line\n", "it begins: ", "", "[redacted:env MULTI_SECRET]\n", "done\n"]);
    const other = stream();
    other.push("first  half\n");
    expect([other.settle(), other.push("of something else\n"), other.settle()]).toEqual([
      "",
      "",
      "first  half\nof something else\n",
    ]);
  });
});

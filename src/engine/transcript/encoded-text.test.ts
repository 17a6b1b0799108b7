import fc from "fast-check";
import { expect, test } from "vitest";
import { visibleInFile } from "../../text/controls.ts";
import { encodedTextAt } from "./encoded-text.ts";

const numRuns = Number(process.env["CLEW_PROPERTY_RUNS"] ?? 500);

/** One character, and a way to write it in JSON. */
const written = fc
  .tuple(
    fc.oneof(
      { weight: 20, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 1 }) },
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
      fc.constantFrom(
        "\n",
        "\t",
        '"',
        "\\",
        "\r",
        "/",
        "\u001b",
        "\u007f",
        "\u0085",
        "\u00a0",
        "\u202e",
        "\u2028",
        "→",
        "🧵",
      ),
    ),
    fc.constantFrom("stringify", "stringify", "stringify", "stringify", "slash", "escape"),
  )
  .map(([text, way]) => {
    const json = JSON.stringify(text).slice(1, -1);
    if (way === "slash") return json.replaceAll("/", "\\/");
    if (way === "stringify") return json;
    return Array.from(
      { length: text.length },
      (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`,
    ).join("");
  });

test("W12 D7 what is left encoded is what JSON.stringify writes, and holds nothing that takes effect", () => {
  let left = 0;
  fc.assert(
    fc.property(
      fc.array(written, { maxLength: 40 }),
      fc.constantFrom("", "plain ".repeat(120)),
      fc.nat(5),
      (pieces, padding, before) => {
        const json = `${padding}${pieces.join("")}`;
        const line = Buffer.from(`${" ".repeat(before)}${json}","is_error":false}`);
        const found = encodedTextAt(line, before);
        if (!found) return;
        left += 1;
        const text = JSON.parse(`"${json}"`) as string;
        expect(found.decode()).toBe(text);
        expect(found.bytes.toString("utf8")).toBe(JSON.stringify(text).slice(1, -1));
        expect(text.toWellFormed()).toBe(text);
        expect(visibleInFile(text)).toBe(text);
        expect(text.startsWith(found.head)).toBe(true);
        expect(found.head.length).toBeGreaterThan(100);
      },
    ),
    { numRuns },
  );
  expect(left).toBeGreaterThan(numRuns / 20);
});

test("W12 bytes that are no text, and lines that end too early, are left to the reader of whole lines", () => {
  const text = (bytes: number[]): Buffer =>
    Buffer.concat([Buffer.alloc(700, "a"), Buffer.from(bytes), Buffer.from('b","is_error":false}')]);
  for (const bytes of [
    [0xff],
    [0xc2, 0x22],
    [0xe2, 0x22],
    [0xe2, 0x86, 0x22],
    [0xed, 0xa0, 0x80],
    [0x80],
    [0xc0, 0x80],
    [0xe0, 0x80, 0x80],
    [0xf0, 0x80, 0x80, 0x80],
    [0xf4, 0x90, 0x80, 0x80],
    [0xf5, 0x80, 0x80, 0x80],
    [0xf0, 0x9f, 0xa7, 0x22],
    [10],
    [0x7f],
  ])
    expect(encodedTextAt(text(bytes), 0)).toBeUndefined();
  expect(encodedTextAt(Buffer.alloc(5000, "a"), 0)).toBeUndefined();
  expect(encodedTextAt(Buffer.from(`${"a".repeat(5000)}\\`), 0)).toBeUndefined();
  expect(encodedTextAt(text([0xe2, 0x86, 0x92]), 0)?.decode()).toBe(`${"a".repeat(700)}→b`);
});

import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readStructuredArgs, structuredLines } from "./structured-args.ts";

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\n",
        "\n\n",
        "  ",
        " ",
        "\t",
        ": ",
        " #",
        "- ",
        "|",
        "true",
        "12",
        "'",
        '"',
        "\\",
        "a",
        "é",
        "{",
        "[",
      ),
      fc.string({ maxLength: 5 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(""));
const key = fc.oneof(fc.constantFrom("file_path", "old_string", "edits", "null", "a b", "-", "1", ""), text);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text,
    fc.constantFrom(null, true, false, 0, -1.5, 1e21),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

test("S3 structured input comes back as the very same text, and YAML reads it as the same value", () => {
  let written = 0;
  fc.assert(
    fc.property(fc.dictionary(key, value, { minKeys: 1, maxKeys: 5 }), (input) => {
      const args = JSON.stringify(input);
      const lines = structuredLines(args);
      if (!lines) return;
      written++;
      expect(readStructuredArgs(lines)).toBe(args);
      expect(lines.some((line) => line.includes("\n"))).toBe(false);
      expect(JSON.stringify(parse(`${lines.join("\n")}\n`))).toBe(JSON.stringify(JSON.parse(args)));
    }),
    { numRuns: Number(process.env["CLEW_PROPERTY_RUNS"] ?? 3000) },
  );
  expect(written).toBeGreaterThan(1000);
});

test("S3 an edit reads as a person would write it", () => {
  const edits = [
    { old_string: "a\n  b", new_string: "a\n  c\n" },
    { old_string: "x", new_string: "  y\nz" },
  ];
  expect(structuredLines(JSON.stringify({ file_path: "src/login.ts", edits, replace_all: false }))).toEqual([
    "file_path: src/login.ts",
    "edits:",
    "  - old_string: |-",
    "      a",
    "        b",
    "    new_string: |",
    "      a",
    "        c",
    "  - old_string: x",
    "    new_string: |2-",
    "        y",
    "      z",
    "replace_all: false",
  ]);
});

test("S3 text that is not the canonical form of an object is left alone", () => {
  for (const args of ['{"a": 1}', '{"a":1,"a":2}', "{}", "[1]", '{"a":1} ', "{nope}", '{"a":1e2}'])
    expect(structuredLines(args)).toBeUndefined();
});

test("S3 lines that somebody changed are text like any other", () => {
  for (const lines of [["a"], ["a: |-", "b"], ["a:"], ["a: 1", "   b: 2"], ["- a"], [""]])
    expect(readStructuredArgs(lines)).toBeUndefined();
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeColors } from "./colors.ts";
import { markdownLines } from "./markdown.ts";
import { sanitize } from "./escape-sequences.ts";
import { widthOf } from "./width.ts";

const plain = { colors: makeColors(false), width: 80, onTerminal: true };
const colored = { ...plain, colors: makeColors(true) };

function painted(text: string): string {
  return sanitize(markdownLines(colored, text, 80).join("\n"));
}

describe("S7 markdown in a terminal", () => {
  it.each([
    ["**bold words**", "\u001b[1mbold\u001b[22m \u001b[1mwords\u001b[22m"],
    ["*soft* and _soft_", "\u001b[3msoft\u001b[23m and \u001b[3msoft\u001b[23m"],
    ["`a*b*c`", "\u001b[36ma*b*c\u001b[39m"],
    ["[text](https://example.com)", "\u001b[4mtext\u001b[24m \u001b[2m(https://example.com)\u001b[22m"],
  ])("%j is painted", (text, expected) => expect(painted(text)).toBe(expected));

  it.each([
    "__init__",
    "src/*.ts and test/*.ts",
    "snake_case_name",
    "2 * 3 * 4",
    "a ` b",
    "**open",
    "[no link]",
    "x[0](1",
  ])("%j stays as it is", (text) => expect(markdownLines(plain, text, 80)).toEqual([text]));

  it("what stands in a fence is not touched", () => {
    expect(markdownLines(plain, "```js\n# not *a* heading\n  - x\n```\nafter", 80)).toEqual([
      "js",
      "│ # not *a* heading",
      "│   - x",
      "after",
    ]);
  });

  it("no line is wider than it may be, whatever the text", () => {
    const piece = fc.constantFrom(
      "# ",
      "- ",
      "> ",
      "```",
      "**",
      "*",
      "`",
      "[a](b)",
      "\n",
      " ",
      "word ",
      "日本語",
      "🎉",
      "1. ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 40, max: 100 }), (pieces, columns) => {
        for (const line of markdownLines(plain, pieces.join(""), columns)) {
          expect([line, widthOf(line) <= columns]).toEqual([line, true]);
        }
      }),
    );
  });

  it("in a pipe the text stays as it is", () => {
    expect(markdownLines({ ...plain, onTerminal: false }, "# A **b**\n- c", 80)).toEqual(["# A **b**", "- c"]);
  });
});

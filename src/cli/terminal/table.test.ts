import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeColors } from "./colors.ts";
import { sanitize } from "./escape-sequences.ts";
import { table, type Cell, type Column } from "./table.ts";
import { widthOf } from "./width.ts";

const colors = makeColors(false);
const columns: Column[] = [
  { title: "ID", isId: true },
  { title: "STATUS" },
  { title: "OTHER", isId: true, givesWay: 3 },
  { title: "WITH", givesWay: 2, least: 6 },
  { title: "N", align: "right", givesWay: 1 },
  { title: "TITLE", wraps: Infinity },
];

const id = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,70}$/);
const word = fc.oneof(
  fc.stringMatching(/^[a-zA-Z,.]{1,12}$/),
  fc.constantFrom("日本語", "👩‍👩‍👧", "🎉🎉", "naïve", "é", "—", "한국어의", "⚠️"),
  fc.stringMatching(/^[a-z]{30,90}$/),
);
const text = fc.array(word, { maxLength: 25 }).map((words) => words.join(" "));
const row = fc.tuple(id, fc.constantFrom("active", "pending_merge"), id, text, fc.nat().map(String), text);

function linesOf(rows: Cell[][], width: number, onTerminal = true): string[] {
  return table({ colors, width, onTerminal }, columns, rows).split("\n");
}

describe("T15 tables in a terminal", () => {
  it("no line is wider than the terminal, but for an id that is", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.integer({ min: 60, max: 160 }), (rows, width) => {
        const ids = new Set(rows.map(([first]) => first));
        for (const line of linesOf(rows, width)) {
          if (!ids.has(line)) expect([line, widthOf(line) <= width]).toEqual([line, true]);
        }
      }),
    );
  });

  it("every id is there, whole", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.integer({ min: 60, max: 160 }), (rows, width) => {
        const words = new Set(linesOf(rows, width).map((line) => line.split(" ")[0]));
        for (const [first] of rows) expect(words).toContain(first);
      }),
    );
  });

  it("every word of the text is there, whole where a line can hold it", () => {
    fc.assert(
      fc.property(row, fc.integer({ min: 80, max: 160 }), ([first, ...rest], width) => {
        const lines = linesOf([[first, ...rest]], width);
        const start = lines[0]!.indexOf("TITLE");
        const column = lines.slice(1).filter((line) => line !== first || widthOf(first) <= start);
        const printed = column.map((line) => line.split(/\s+/)).flat();
        const room = width - start;
        for (const each of rest.at(-1)!.split(" ")) {
          if (each !== "" && widthOf(each) <= Math.min(room, 12)) expect(printed).toContain(each);
        }
      }),
    );
  });

  it("what matters least gives way first, and all is there where there is room", () => {
    const rows = [["id-1", "active", "other-1", "someone", "7", "A title of some length that needs room"]];
    expect(linesOf(rows, 120)[0]).toBe("ID    STATUS  OTHER    WITH     N  TITLE");
    const narrow = linesOf([["id-1", "active", "other-1".repeat(5), "someone here", "7", "A title ".repeat(9)]], 80);
    expect(narrow[0]).toMatch(/^ID +STATUS +TITLE$|^ID +STATUS +OTHER +TITLE$/);
  });

  it("an id that is too long has the line to itself, and the others stay in their columns", () => {
    const long = "a".repeat(60);
    const lines = linesOf(
      [
        ["short", "active", "b-1", "x", "1", "First"],
        [long, "active", "b-2", "y", "2", "Second of them, with more words than fit into a line of eighty"],
      ],
      80,
    );
    expect(lines).toContain(long);
    const place = lines[0]!.indexOf("STATUS");
    expect(lines[lines.indexOf(long) + 1]!.indexOf("active")).toBe(place);
  });

  it("in a pipe each row is one line, with all columns", () => {
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), (rows) => {
        const lines = linesOf(rows, 200, false);
        expect(lines.length).toBe(rows.length + 1);
        expect(lines[0]!.split(/\s+/)).toEqual(columns.map(({ title }) => title));
      }),
    );
  });

  it("a colour ends in its cell, also in one that is cut", () => {
    const painted = makeColors(true);
    const cell = { text: "many words in a cell that is too narrow for them", paint: painted.red };
    const [, line = ""] = sanitize(
      table({ colors: painted, width: 60, onTerminal: true }, columns, [
        ["id-1", "active", "o", cell, "1", "A title ".repeat(9)],
      ]),
    ).split("\n");
    expect(line.split("\u001b[31m").length).toBe(line.split("\u001b[39m").length);
  });
});

import { describe, expect, it } from "vitest";
import type { GraphLine } from "../../contract/api/bead-shapes.ts";
import { viewTree } from "./bead-tree-view.ts";
import { makeColors } from "./colors.ts";
import { widthOf } from "./width.ts";

const line = (id: string, depth: number, more: Partial<GraphLine> = {}): GraphLine => ({
  id,
  status: "open",
  title: "A title that is longer than a narrow terminal is wide, 漢字 too",
  ready: false,
  circular: false,
  more: Array.from({ length: depth }, (_, at) => at % 2 === 0),
  ...more,
});

describe("G2 the picture in a terminal", () => {
  it("G2 keeps to the width and leaves no colour open", () => {
    const lines = [
      line("p-1", 0),
      line("p-2", 1, { mark: "cycle" }),
      line("p-3", 20),
      line("p-4", 25, { mark: "deep" }),
    ];
    const drawn = viewTree({ colors: makeColors(true), width: 40, onTerminal: true, nowMs: () => 0 }, lines).split(
      "\n",
    );
    for (const each of drawn) {
      expect(widthOf(each)).toBeLessThanOrEqual(40);
      expect(each).toMatch(/^[^\u001b]*$|\u001b\[(?:0|2\d|39)m[^\u001b]*$/);
    }
  });

  it("G2 stops growing to the right at half the width, so that a deep bead can be read", () => {
    const drawn = viewTree({ colors: makeColors(false), width: 40, onTerminal: true, nowMs: () => 0 }, [
      line("p-3", 39),
    ]).split("\n");
    expect(drawn[0]!.indexOf("p-3")).toBeLessThanOrEqual(22);
  });

  it("G2 marks what comes again, what goes in a circle and what is not there", () => {
    const lines = [
      line("p-1", 0, { title: "First", ready: true }),
      line("p-2", 1, { title: "Again", mark: "again", relation: "needs" }),
      line("p-1", 1, { mark: "cycle", circular: true, relation: "needs" }),
      line("p-9", 1, { status: "missing", relation: "related" }),
    ];
    const drawn = viewTree({ colors: makeColors(false), width: 100, onTerminal: true, nowMs: () => 0 }, lines).split(
      "\n",
    );
    expect(drawn.slice(0, 4)).toEqual([
      "○ p-1  ready  First",
      "├─ needs ○ p-2  ↑ see above",
      "├─ needs ○ p-1  ↻ a cycle: it waits for itself",
      "├─ related ? p-9  missing",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { Bead } from "../../contract/bead.ts";
import { viewBeads } from "./bead-list-view.ts";
import { makeColors } from "./colors.ts";

const beads: Bead[] = [
  { id: "p-a3f", title: "A title of thirty-odd letters, no more", labels: ["first", "second", "third", "fourth"] },
  { id: "p-b2c", title: "Short", labels: ["first"] },
];

function drawn(width: number): string[] {
  const list = { beads, unreadable: [], standings: {}, total: 2 };
  return viewBeads({ colors: makeColors(false), width, onTerminal: true, nowMs: () => 0 }, list, "").split("\n");
}

describe("G2 the table of beads in a narrow terminal", () => {
  it.each([120, 90, 80, 70, 60])("G2 in %i columns labels give way before the title", (width) => {
    const lines = drawn(width);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
    if (lines.join("\n").includes("LABELS")) expect(lines[1]).toContain(beads[0]!.title);
  });

  it("G2 shows all labels where there is room, cuts them, then leaves them out", () => {
    expect(drawn(120)[1]).toMatch(/first second third fourth$/);
    expect(drawn(80)[1]).toMatch(/ first …$| first.*…$/);
    expect(drawn(60)[0]).toMatch(/TITLE$/);
  });
});

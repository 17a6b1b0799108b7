import { expect, it } from "vitest";
import type { Bead } from "../contract/bead.ts";
import { byUrgency, beadPage } from "./urgency.ts";

const beads = byUrgency(
  Array.from({ length: 23 }, (_, at): Bead => ({
    id: `p-${at}`,
    title: "x",
    priority: at % 3,
    ...(at % 4 > 0 && { created_at: `2026-11-${String(10 + (at % 5))}T10:00:00Z` }),
  })),
);

function pages(list: Bead[], limit: number): string[] {
  const ids: string[] = [];
  for (let after: string | undefined; ;) {
    const page = beadPage(list, { limit, after });
    ids.push(...page.beads.map(({ id }) => id));
    if (page.next === undefined) return ids;
    after = page.next;
  }
}

it("gives every bead once, in order, however long a page is", () => {
  for (const limit of [1, 2, 7, 23, 100]) expect(pages(beads, limit)).toEqual(beads.map(({ id }) => id));
});

it("goes on behind the last bead of a page, also when that one is gone", () => {
  const { beads: first, next } = beadPage(beads, { limit: 5 });
  const left = beads.filter((bead) => bead !== first.at(-1));
  expect(beadPage(left, { after: next }).beads).toEqual(beads.slice(5));
});

it("refuses what is no place in a list", () => {
  for (const after of ["", "x", "p-1", "1 2", "x y z"])
    expect(() => beadPage(beads, { after })).toThrow("there is no place");
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Bead } from "../contract/bead.ts";
import { dependencyTree, treeRoots } from "./dependency-tree.ts";

function beads(edges: [from: string, type: string, to: string][]): Bead[] {
  const ids = [...new Set(edges.flatMap(([from, , to]) => [from, to]))].sort();
  return ids.map((id) => ({
    id,
    title: id,
    dependencies: edges
      .filter(([from]) => from === id)
      .map(([, type, to]) => ({ issue_id: id, depends_on_id: to, type })),
  }));
}

function drawn(all: Bead[]): string[] {
  return dependencyTree(all, treeRoots(all)).map(
    ({ id, more, mark }) => `${"-".repeat(more.length)}${id}${mark === undefined ? "" : ` ${mark}`}`,
  );
}

describe("G2 the picture of dependencies", () => {
  it("G2 children stand below their parent, and shared beads have their branches once", () => {
    const all = beads([
      ["a", "blocks", "b"],
      ["a", "blocks", "c"],
      ["b", "blocks", "d"],
      ["c", "blocks", "d"],
      ["d", "blocks", "e"],
      ["k", "parent-child", "a"],
    ]);
    expect(drawn(all)).toEqual(["a", "-b", "--d", "---e", "-c", "--d again", "-k"]);
  });

  it("G2 a cycle is marked and has a beginning", () => {
    expect(
      drawn(
        beads([
          ["a", "blocks", "b"],
          ["b", "blocks", "a"],
        ]),
      ),
    ).toEqual(["a", "-b", "--a cycle"]);
  });

  it("G2 a target that no bead is has no bead", () => {
    const all = beads([["a", "blocks", "b"]]).filter(({ id }) => id === "a");
    expect(dependencyTree(all, ["a"]).map(({ bead }) => bead?.id)).toEqual(["a", undefined]);
  });

  it("G2 every dependency is drawn once, whatever the graph", () => {
    const letter = fc.constantFrom(..."abcdefg");
    const edge = fc.tuple(letter, fc.constantFrom("blocks", "related", "parent-child"), letter);
    const edges = fc.uniqueArray(edge, { selector: (each) => each.join(" ") });
    fc.assert(
      fc.property(edges, (given) => {
        const all = beads(given);
        const lines = dependencyTree(all, treeRoots(all));
        expect(lines.filter(({ by }) => by !== undefined)).toHaveLength(given.length);
      }),
    );
  });
});

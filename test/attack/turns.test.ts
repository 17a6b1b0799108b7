import { expect, it } from "vitest";
import { kindsInTurn } from "./turns.ts";

const kinds = ["sessions", "runs", "beads", "disk"];

it("every lane takes all kinds in turn, in an order that only the seed decides, and the lanes begin apart", () => {
  const orders = new Set<string>();
  for (let seed = 0; seed < 50; seed++) {
    const lanes = [0, 1].map((lane) => kindsInTurn(kinds, seed, lane, 2));
    for (const order of lanes) expect(order.toSorted()).toEqual(kinds.toSorted());
    expect(new Set(lanes.flatMap((order) => order.slice(0, 2)))).toEqual(new Set(kinds));
    expect(kindsInTurn(kinds, seed, 1, 2)).toEqual(lanes[1]);
    orders.add(lanes[0]!.join());
  }
  expect(orders.size).toBeGreaterThan(10);
});

it("more lanes than kinds begin anew, and one kind is always that", () => {
  expect(kindsInTurn(["runs"], 5, 3, 4)).toEqual(["runs"]);
  const firsts = Array.from({ length: 8 }, (_, lane) => kindsInTurn(kinds, 5, lane, 8)[0]!);
  expect(new Set(firsts)).toEqual(new Set(kinds));
});

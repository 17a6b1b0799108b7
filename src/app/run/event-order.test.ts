import { expect, test } from "vitest";
import { EventOrder } from "./event-order.ts";

/** Each look sees these new numbers; what is told after each. */
function told(...looks: number[][]): number[][] {
  const order = new EventOrder(0);
  return looks.map((look) => order.take(look.map((n) => ({ n }))).map(({ n }) => n));
}

test("G14 an event that is seen before an earlier one of another run waits for it", () => {
  expect(told([1, 2, 4], [3, 5])).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
});

test("G14 a gap that stays, because a journal was moved away, holds nothing up", () => {
  expect(told([1, 4], [5])).toEqual([[1], [4, 5]]);
});

test("G14 what comes after its gap was given up is told late, and not lost", () => {
  expect(told([1, 3], [], [2])).toEqual([[1], [3], [2]]);
});

test("G14 at the last look, gaps hold nothing up", () => {
  const order = new EventOrder(2);
  expect(order.take([{ n: 5 }, { n: 2 }, { n: 4 }], true)).toEqual([{ n: 4 }, { n: 5 }]);
});

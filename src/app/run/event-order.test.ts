import { expect, test } from "vitest";
import { EventOrder } from "./event-order.ts";

type Look = { found: number[]; isWhole?: boolean };

/** What is told after each look. */
function toldAfter(...looks: Look[]): number[][] {
  const order = new EventOrder(0);
  return looks.map(({ found, isWhole = false }) =>
    order
      .take(
        found.map((n) => ({ n })),
        isWhole,
      )
      .map(({ n }) => n),
  );
}

test("G14 an event that is seen before an earlier one of another run waits for it", () => {
  expect(toldAfter({ found: [1, 2, 4] }, { found: [] }, { found: [3, 5] })).toEqual([[1, 2], [], [3, 4, 5]]);
});

test("G14 a gap that a look at all journals does not fill holds nothing up", () => {
  expect(toldAfter({ found: [1, 4] }, { found: [] }, { found: [5], isWhole: true })).toEqual([[1], [], [4, 5]]);
});

test("G14 a look at all journals gives up only what was missing when it began", () => {
  const looks = [{ found: [1, 3], isWhole: true }, { found: [6], isWhole: true }, { found: [5] }];
  expect(toldAfter(...looks)).toEqual([[1], [3], []]);
  expect(toldAfter(...looks, { found: [4] })).toEqual([[1], [3], [], [4, 5, 6]]);
});

test("G14 what comes after its gap was given up is told late, and not lost", () => {
  expect(toldAfter({ found: [1, 3] }, { found: [], isWhole: true }, { found: [2] })).toEqual([[1], [3], [2]]);
});

test("G14 what was before the first number is not told", () => {
  const order = new EventOrder(2);
  expect(order.take([{ n: 3 }, { n: 2 }, { n: 4 }], false)).toEqual([{ n: 3 }, { n: 4 }]);
  expect(order.last).toBe(4);
});

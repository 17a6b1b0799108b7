import { expect, test } from "vitest";
import type { Json } from "../contract/json.ts";
import { isNestedDeeperThan } from "./depth.ts";

test.each<[Json, number]>([
  [7, 0],
  ["[[[[", 0],
  [null, 0],
  [[], 1],
  [{ a: 1 }, 1],
  [{ a: [1, { b: {} }] }, 4],
])("%j has %i levels", (value, levels) => {
  expect(isNestedDeeperThan(value, levels)).toBe(false);
  if (levels > 0) expect(isNestedDeeperThan(value, levels - 1)).toBe(true);
});

import { expect, test } from "vitest";
import { examine, type Check } from "./examine.ts";

/** A check of something that is mended once, and only after `needs` is. */
function check(name: string, state: Set<string>, needs?: string): Check {
  return {
    name,
    look() {
      if (state.has(name) || (needs !== undefined && !state.has(needs))) return [{ status: "ok", message: "in order" }];
      const repair = (): string => {
        state.add(name);
        return `mended ${name}`;
      };
      return [{ status: "warning", message: `${name} is broken`, repair }];
    },
  };
}

test("what a repair brings to light is mended in the same examination, also where it was looked at before", async () => {
  const state = new Set<string>();
  const checks = [check("third", state, "second"), check("second", state, "first"), check("first", state)];
  expect(await examine(checks, false)).toMatchObject([{ status: "ok" }, { status: "ok" }, { status: "warning" }]);
  expect(await examine(checks, true)).toEqual([
    { check: "third", status: "repaired", message: "mended third" },
    { check: "second", status: "repaired", message: "mended second" },
    { check: "first", status: "repaired", message: "mended first" },
  ]);
  expect(await examine(checks, true)).toMatchObject([{ status: "ok" }, { status: "ok" }, { status: "ok" }]);
});

test("what comes back each time is told once, and the examination ends", async () => {
  let repairs = 0;
  const checks: Check[] = [
    {
      name: "weed",
      look: () => [{ status: "problem", message: "grows", repair: () => `cut it (${(repairs += 1) > 0})` }],
    },
  ];
  expect(await examine(checks, true)).toEqual([{ check: "weed", status: "repaired", message: "cut it (true)" }]);
  expect(repairs).toBeLessThan(10);
});

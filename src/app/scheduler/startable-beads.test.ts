import { expect, it } from "vitest";
import { cachedWhileUnchanged } from "./startable-beads.ts";

it("G14 what the scheduler read is kept while nothing changes, for a while, and never when it failed", async () => {
  let stamp = "a";
  let nowMs = 0;
  let reads = 0;
  let isBroken = true;
  const look = cachedWhileUnchanged({
    stampNow: () => stamp,
    read: async () => {
      if (isBroken) throw new Error("bd list failed");
      return ++reads;
    },
    elapsedMs: () => nowMs,
  });
  await expect(look()).rejects.toThrow("bd list failed");
  isBroken = false;
  expect([await look(), await look()]).toEqual([1, 1]);
  stamp = "b";
  expect(await look()).toBe(2);
  nowMs = 15_001;
  expect(await look()).toBe(3);
});

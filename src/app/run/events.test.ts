import { expect, test } from "vitest";
import type { NumberedEvent } from "../../contract/api/run.ts";
import { followEvents } from "./events.ts";

/** Each look sees these new numbers; after the last one, the follower is stopped. */
async function follow(...looks: number[][]): Promise<number[]> {
  const stop = new AbortController();
  const readNew = (): NumberedEvent[] => {
    const seen = looks.shift() ?? [];
    if (looks.length === 0) stop.abort();
    return seen.map((n) => ({ n }) as NumberedEvent);
  };
  const told: number[] = [];
  const sleep = async (): Promise<void> => undefined;
  for await (const event of followEvents(readNew, { follow: true, signal: stop.signal, sleep })) {
    if ("n" in event) told.push(event.n);
  }
  return told;
}

test("G14 an event that is seen before an earlier one of another run waits for it", async () => {
  expect(await follow([1, 2, 4], [3, 5])).toEqual([1, 2, 3, 4, 5]);
});

test("G14 a gap that stays, because a journal was moved away, holds nothing up", async () => {
  expect(await follow([1, 4], [5])).toEqual([1, 4, 5]);
});

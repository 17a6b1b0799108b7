import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { after } from "./timer.ts";

it("G10 a limit longer than Node's own timer can count does not pass at once", async () => {
  const passed: string[] = [];
  const stops = [25, 30].map((days) => after(days * 86_400_000, () => passed.push(`${days} days`)));
  after(1, () => passed.push("1 ms"));
  await sleep(50);
  for (const stop of stops) stop();
  expect(passed).toEqual(["1 ms"]);
});

import { expect, it } from "vitest";
import { RunLane } from "../attack/run-lane.ts";

const seed = Number(process.env["CLEW_SEED"] ?? Date.now() % 1_000_000);

// Many more of them: run-kills.long.test.ts, and `npm run attack`.
it(`G16 killed at random instants, alone or with all it started, a run ends right (CLEW_SEED=${seed})`, async () => {
  using lane = new RunLane(seed, 100);
  while (lane.kills < 10) await lane.act();
  await lane.finish();
  expect(lane.runs).toBeGreaterThan(0);
});

import { expect, it } from "vitest";
import { RunLane } from "../attack/run-lane.ts";

const kills = Number(process.env["CLEW_KILLS"] ?? 20);
const seed = Number(process.env["CLEW_SEED"] ?? Date.now() % 1_000_000);

it(
  `G16 killed ${kills} times at random instants, alone or with all it started, every run ends right (CLEW_SEED=${seed})`,
  {
    timeout: 600_000,
  },
  async () => {
    using lane = new RunLane(seed, kills * 3);
    while (lane.kills < kills) await lane.act();
    await lane.finish();
    expect(lane.runs).toBeGreaterThan(0);
  },
);

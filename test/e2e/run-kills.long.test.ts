import { expect, it } from "vitest";
import { RunLane } from "../attack/run-lane.ts";

const kills = Number(process.env["CLEW_KILLS"] ?? 200);
const lanes = 3;
const seed = Number(process.env["CLEW_SEED"] ?? Date.now() % 1_000_000);

it.concurrent.each(Array.from({ length: lanes }, (_, lane) => seed + lane))(
  `G16 killed ${kills / lanes} times at random instants, alone or with all it started, every run ends right (CLEW_SEED=%i)`,
  { timeout: 900_000 },
  async (laneSeed) => {
    using lane = new RunLane(laneSeed, kills);
    while (lane.kills < kills / lanes) await lane.act();
    await lane.finish();
    expect(lane.runs).toBeGreaterThan(0);
  },
);

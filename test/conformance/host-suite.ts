import { describe } from "vitest";
import { describeDrivers } from "./cases/drivers.ts";
import { describeEvents } from "./cases/events.ts";
import { describeLimits } from "./cases/limits.ts";
import { describeMerges } from "./cases/merges.ts";
import { describeReplay } from "./cases/replay.ts";
import { describeSignals } from "./cases/signals.ts";
import type { MakeWorld } from "./world.ts";

/** What every host of runs must do, wherever it keeps them. */
export function describeHost(name: string, makeWorld: MakeWorld): void {
  describe(`runs on ${name}`, () => {
    describeReplay(makeWorld);
    describeSignals(makeWorld);
    describeMerges(makeWorld);
    describeLimits(makeWorld);
    describeDrivers(makeWorld);
    describeEvents(makeWorld);
  });
}

/** Only the cases about several drivers of one run. */
export function describeDriving(name: string, makeWorld: MakeWorld): void {
  describe(`runs on ${name}`, () => {
    describeDrivers(makeWorld);
  });
}

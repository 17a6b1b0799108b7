import { rmSync } from "node:fs";
import { join } from "node:path";
import { grouped } from "../lib/bench.mjs";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { afterStart, takeTurns } from "../lib/timing.mjs";

/** Twice the sessions may take a little more than twice the time: two runs of the same are not alike either. */
const linear = 2.3;

/** Cases out of many sessions, written into a file. @param {import("../lib/bench.mjs").Bench} bench */
export async function learn(bench) {
  const { program, place, sizes } = bench;
  const [half, whole] = [await bench.sessions(sizes.learned / 2), await bench.sessions(sizes.learned)];
  const file = join(place.root, "cases.json");
  const args = ["session", "learn", "--export", "puzzle", "-o", file];
  let peakMb = 0;
  /** @param {import("../lib/bench.mjs").Collection} collection */
  const learnFrom = ({ repository }) => {
    rmSync(file, { force: true });
    const startMs = performance.now();
    peakMb = Math.max(peakMb, program.clewInside(repository.folder, ...args).peakMb);
    return performance.now() - startMs;
  };
  const timing = await takeTurns(sizes.fewRounds, {
    version: () => void program.clew(program.folder, "--version"),
    half: () => learnFrom(half),
    whole: () => learnFrom(whole),
  });
  const [fewer, all] = [afterStart(timing.half, timing.version), afterStart(timing.whole, timing.version)];
  const about = `session learn over ${grouped(sizes.learned)} sessions`;
  const value = whole.bytes / 1000 / all.medianMs;
  return [
    plainRow(`${about} (${(whole.bytes / 1e6).toFixed(0)} MB), after start`, { value, unit: "MB/s", atLeast: 50 }),
    ratioRow(`${about} / over half of them`, all, fewer, { atMost: linear }),
    plainRow("peak memory of that", { value: peakMb, unit: "MB", atMost: 200 }),
  ];
}

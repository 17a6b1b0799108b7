import { fileURLToPath } from "node:url";
import { grouped } from "../lib/bench.mjs";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { timingOf } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/runs.mjs", import.meta.url));

/** What the engine of runs costs by itself: its handlers do nothing. @param {import("../lib/bench.mjs").Bench} bench */
export async function run(bench) {
  const { program, place, partsFile, sizes } = bench;
  /** @param {string} folder @param {(string | number)[]} args */
  const ask = (folder, ...args) =>
    JSON.parse(program.node(place.root, [probe, partsFile, folder, ...args.map(String)]).toString());

  /** @type {{ stepMs: number[], bareMs: number[] }} */
  const { stepMs, bareMs } = ask(place.folder("run-steps"), "steps", sizes.rounds, 100);
  bench.settle();
  /** @type {{ early: number, late: number, peakMb: number }} */
  const long = ask(place.folder("run-long"), "long", sizes.steps);
  bench.settle();
  /** @type {{ residentMb: number }} */
  const waiting = ask(place.folder("run-waiting"), "waiting", sizes.waitingRuns);
  const resumed = place.folder("run-resumed");
  ask(resumed, "journal", sizes.journalLines);
  bench.settle();
  /** @type {{ tookMs: number, workMs: number, peakMb: number }} */
  const resume = ask(resumed, "resume");
  const lines = grouped(sizes.journalLines);
  return [
    ratioRow("one step / one append with fdatasync", timingOf(stepMs), timingOf(bareMs), { atMost: 2 }),
    ratioRow(
      `a step late / early in a run of ${grouped(sizes.steps)}`,
      { medianMs: long.late, lowestMs: long.late, runs: 1 },
      { medianMs: long.early, lowestMs: long.early, runs: 1 },
      { atMost: 1.2 },
    ),
    plainRow(`peak memory of that run`, { value: long.peakMb, unit: "MB", atMost: 200 }),
    plainRow(`memory of ${sizes.waitingRuns} runs that wait in one process`, {
      value: waiting.residentMb,
      unit: "MB",
      atMost: 150,
    }),
    plainRow(`resuming a run with ${lines} journal lines, until its next step`, {
      value: resume.workMs,
      unit: "ms",
      atMost: 1000,
    }),
    plainRow("the same by the clock", { value: resume.tookMs, unit: "ms" }),
    plainRow("peak memory of that", { value: resume.peakMb, unit: "MB" }),
  ];
}

import { Batch } from "../lib/batch.mjs";
import { grouped } from "../lib/bench.mjs";
import { batchFile, logFile } from "../lib/fill.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { afterStart, takeTurns } from "../lib/timing.mjs";

/** @type {import("../lib/entries.mjs").LogEntry} */
const tool = { kind: "tool", name: "Read", args: "src/app/main.ts", result: "120 lines", failed: false };
/** @type {import("../lib/entries.mjs").LogEntry} */
const phase = { kind: "phase", title: "Next", agent: "coder@2" };
const atMost = 1.2;

/** Whether an entry costs more in a long session than in a short one. @param {import("../lib/bench.mjs").Bench} bench */
export async function append(bench) {
  const { program, place, sizes } = bench;
  const repository = bench.repository("append");
  const [short, long] = [sizes.shortEntries, sizes.longEntries].map((count) => {
    const id = repository.start(`A session of ${count} entries`);
    logFile(repository, id, batchFile(place, count));
    return id;
  });
  if (short === undefined || long === undefined) throw new Error("two sessions were to be made");
  repository.clew("search", "anything");
  bench.settle();
  const name = `entry ${grouped(sizes.longEntries)} / entry ${grouped(sizes.shortEntries)}`;

  const log = ["tool", "Read", "--args", "src/app/main.ts", "--result", "120 lines"];
  const single = await takeTurns(sizes.rounds, {
    version: () => void program.clew(program.folder, "--version"),
    short: () => void repository.log(short, ...log),
    long: () => void repository.log(long, ...log),
  });
  const [floor, measured] = [afterStart(single.short, single.version), afterStart(single.long, single.version)];
  return [
    ratioRow(`${name}: session log tool, after start`, measured, floor, { atMost }),
    await oneByOne(`${name}: one tool call in a batch`, tool),
    await oneByOne(`${name}: one phase in a batch (a save point)`, phase),
  ];

  /**
   * @param {string} figure
   * @param {import("../lib/entries.mjs").LogEntry} entry
   */
  async function oneByOne(figure, entry) {
    const batches = [
      new Batch(repository, /** @type {string} */ (short)),
      new Batch(repository, /** @type {string} */ (long)),
    ];
    const timing = await takeTurns(sizes.lines, {
      short: () => batches[0]?.log(entry),
      long: () => batches[1]?.log(entry),
    });
    for (const batch of batches) await batch.end();
    return ratioRow(figure, timing.long, timing.short, { atMost });
  }
}

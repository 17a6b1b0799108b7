import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped } from "../lib/bench.mjs";
import { batchFile, logFile } from "../lib/fill.mjs";
import { rateRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

const floorProgram = fileURLToPath(new URL("../probes/append-and-sync.mjs", import.meta.url));
const groupSize = 64;

/**
 * Logging many entries against the bare appending and syncing of the same bytes; whole processes on both sides.
 * @param {import("../lib/bench.mjs").Bench} bench
 */
export async function batch(bench) {
  const { program, place, sizes } = bench;
  const repository = bench.repository("batch");
  const entries = batchFile(place, sizes.batchEntries);
  const example = repository.start("The bytes");
  logFile(repository, example, entries);
  const { bytesFile, sizesFile, bytes } = writeFloorInput(
    place,
    readFileSync(repository.pathOf(example)),
    sizes.batchEntries,
  );
  repository.clew("session", "end", example);
  repository.clew("search", "anything");
  bench.settle();

  const target = join(place.root, "floor.bin");
  let round = 0;
  const timing = await takeTurns(sizes.fewRounds, {
    floor: () => {
      rmSync(target, { force: true });
      const startMs = performance.now();
      program.node(place.root, [floorProgram, bytesFile, sizesFile, target]);
      return performance.now() - startMs;
    },
    clew: () => {
      const id = repository.start(`Batch ${round++}`);
      const startMs = performance.now();
      logFile(repository, id, entries);
      const tookMs = performance.now() - startMs;
      repository.clew("session", "end", id);
      return tookMs;
    },
  });
  const perSecond = (/** @type {number} */ ms) => (sizes.batchEntries / ms) * 1000;
  const figure = `batch of ${grouped(sizes.batchEntries)} entries, ${(bytes / 1e6).toFixed(1)} MB / append and fdatasync by ${groupSize}`;
  return [
    rateRow(figure, {
      rate: perSecond(timing.clew.medianMs),
      floorRate: perSecond(timing.floor.medianMs),
      unit: "entries/s",
      atLeast: 0.5,
    }),
  ];
}

/**
 * The bytes that the entries added to session.md, cut evenly into as many groups as there are groups of entries.
 * @param {import("../lib/place.mjs").Place} place
 * @param {Buffer} record
 * @param {number} entries
 */
function writeFloorInput(place, record, entries) {
  const added = record.subarray(record.indexOf("\n## "));
  const groups = Math.ceil(entries / groupSize);
  const borders = Array.from({ length: groups + 1 }, (_, group) => Math.round((added.length * group) / groups));
  const groupBytes = borders.slice(1).map((border, group) => border - (borders[group] ?? 0));
  const [bytesFile, sizesFile] = [join(place.root, "floor-bytes"), join(place.root, "floor-sizes.json")];
  writeFileSync(bytesFile, added);
  writeFileSync(sizesFile, JSON.stringify(groupBytes));
  return { bytesFile, sizesFile, bytes: added.length };
}

import { Batch } from "../lib/batch.mjs";
import { grouped } from "../lib/bench.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { afterStart, takeTurns } from "../lib/timing.mjs";

/** @type {import("../lib/entries.mjs").LogEntry} */
const phase = { kind: "phase", title: "Next", agent: "coder@2" };
const atMost = 2;

/** What a save point costs among many sessions, with the search in place. @param {import("../lib/bench.mjs").Bench} bench */
export async function save(bench) {
  const { program, sizes } = bench;
  const [few, many] = [await bench.sessions(sizes.few), await bench.sessions(sizes.many)];
  for (const collection of [few, many]) bench.searchBuilt(collection);
  const [inFew, inMany] = [few.repository, many.repository];
  const [idFew, idMany] = [inFew.start("Saved among few"), inMany.start("Saved among many")];
  bench.settle();
  const name = `saving one among ${grouped(sizes.many)} / among ${grouped(sizes.few)}`;

  const single = await takeTurns(sizes.rounds, {
    version: () => void program.clew(program.folder, "--version"),
    few: () => void inFew.log(idFew, "phase", "Next"),
    many: () => void inMany.log(idMany, "phase", "Next"),
  });
  const batches = [new Batch(inFew, idFew), new Batch(inMany, idMany)];
  const inside = await takeTurns(sizes.lines, {
    few: () => batches[0]?.log(phase),
    many: () => batches[1]?.log(phase),
  });
  for (const batch of batches) await batch.end();
  const [floor, measured] = [afterStart(single.few, single.version), afterStart(single.many, single.version)];
  return [
    ratioRow(`${name}: session log phase, after start`, measured, floor, { atMost }),
    ratioRow(`${name}: one phase in a batch`, inside.many, inside.few, { atMost }),
  ];
}

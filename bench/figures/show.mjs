import { statSync } from "node:fs";
import { batchFile, logFile } from "../lib/fill.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

/** Roughly what an entry adds to session.md; the figure's name says how much it really was. */
const bytesPerEntry = 139;

/** Showing a long session that was logged here and has ended. @param {import("../lib/bench.mjs").Bench} bench */
export async function show(bench) {
  const { program, place, sizes } = bench;
  const repository = bench.repository("show");
  const id = repository.start("A long session");
  logFile(repository, id, batchFile(place, Math.round(sizes.showBytes / bytesPerEntry)));
  repository.clew("session", "end", id);
  repository.clew("session", "list");
  bench.settle();
  const size = (statSync(repository.pathOf(id)).size / 1e6).toFixed(1);
  const { node, shown } = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    shown: () => void repository.clew("session", "show", id, "--json"),
  });
  return [ratioRow(`session show --json of ${size} MB / node -e 0`, shown, node, { atMost: 3 })];
}

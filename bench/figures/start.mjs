import { ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

/** How long the program takes to do nothing. @param {import("../lib/bench.mjs").Bench} bench */
export async function start({ program, sizes }) {
  const { node, version } = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    version: () => void program.clew(program.folder, "--version"),
  });
  return [ratioRow("clew --version / node -e 0", version, node, { atMost: 1.15 })];
}

import { planted } from "../lib/entries.mjs";
import { plainRow } from "../lib/rows.mjs";
import { afterStart, median, takeTurns } from "../lib/timing.mjs";

const limit = "20";
const atMost = 50;
/** @type {[word: string, about: string][]} */
const words = [
  [planted.frequent, "in 1% of entries"],
  [planted.rare, "in 0.01% of entries"],
  [planted.lone, "in 5 entries"],
  [`${planted.frequent} here`, "in 1% with a second one"],
];

/** The newest places where a word stands. @param {import("../lib/bench.mjs").Bench} bench */
export async function search(bench) {
  const { program, sizes } = bench;
  const many = await bench.sessions(sizes.many);
  const buildMs = bench.searchBuilt(many);
  const size = `${(many.bytes / 1e9).toFixed(2)} GB`;
  const rows = [];
  for (const [word, about] of words) {
    const args = ["search", word, "--limit", limit, "--json"];
    const { hits } = JSON.parse(many.repository.clew(...args).toString());
    if (hits.length === 0) throw new Error(`${word} was not found`);
    const timing = await takeTurns(sizes.rounds, {
      version: () => void program.clew(program.folder, "--version"),
      search: () => void many.repository.clew(...args),
    });
    const value = afterStart(timing.search, timing.version).medianMs;
    rows.push(plainRow(`search ${size} for a word ${about}, after start`, { value, unit: "ms", atMost }));
  }
  const args = ["search", planted.frequent, "--limit", limit, "--json"];
  const inside = Array.from({ length: sizes.fewRounds }, () => program.clewInside(many.repository.folder, ...args));
  return [
    ...rows,
    plainRow("the first of these as the process itself sees it", {
      value: median(inside.map((each) => each.workMs)),
      unit: "ms",
    }),
    plainRow("building the search", { value: many.bytes / 1000 / buildMs, unit: "MB/s" }),
  ];
}

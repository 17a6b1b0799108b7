import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareSearch } from "../lib/bare-search.mjs";
import { planted } from "../lib/entries.mjs";
import { importedSessions } from "../lib/imported.mjs";
import { plainRow, rateRow } from "../lib/rows.mjs";
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
    ...(await building(bench)),
  ];
}

/** Building the search of imported transcripts, in turns with the floor. @param {import("../lib/bench.mjs").Bench} bench */
async function building(bench) {
  const { program, sizes } = bench;
  const repository = bench.repository("imported");
  const home = join(repository.folder, ".git", "clew");
  let bytes = 0;
  for (const session of importedSessions(bench.parts, sizes.importedBytesEach)) {
    bytes += repository.write(session).length;
    const folder = join(home, "transcripts", session.id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "results.jsonl"), session.results);
    bytes += Buffer.byteLength(session.results);
    if (bytes >= sizes.importedBytes) break;
  }
  repository.clew("session", "list");
  bench.settle();
  const sources = [join(repository.folder, ".clew", "sessions"), join(home, "transcripts")];
  let peakMb = 0;
  const timing = await takeTurns(3, {
    build() {
      rmSync(join(home, "search"), { recursive: true, force: true });
      const startMs = performance.now();
      peakMb = Math.max(peakMb, program.clewInside(repository.folder, "search", "anything", "--json").peakMb);
      return performance.now() - startMs;
    },
    floor: () => bareSearch(sources, join(bench.place.root, "bare.db")),
  });
  const rate = bytes / 1000 / timing.build.medianMs;
  const floorRate = bytes / 1000 / timing.floor.medianMs;
  const about = `building the search of ${(bytes / 1e6).toFixed(0)} MB of imported transcripts`;
  return [
    rateRow(`${about} / reading them into a bare FTS5`, { rate, floorRate, unit: "MB/s", atLeast: 0.8 }),
    plainRow("peak memory of that", { value: peakMb, unit: "MB", atMost: 200 }),
  ];
}

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped } from "../lib/bench.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/runs.mjs", import.meta.url));

/** Looking at runs: a list among many that are over, and one with a long journal. @param {import("../lib/bench.mjs").Bench} bench */
export async function runs(bench) {
  const { program, place, partsFile, sizes } = bench;
  /** @param {import("../lib/repository.mjs").Repository} repository @param {(string | number)[]} args */
  const ask = (repository, ...args) =>
    program.node(place.root, [probe, partsFile, homeOf(repository), ...args.map(String)]);

  const one = bench.repository("runs-one");
  ask(one, "ended");
  const many = bench.repository("runs-many");
  ask(many, "ended");
  copyJournal(many, sizes.runs);
  const short = bench.repository("runs-short");
  ask(short, "journal", sizes.journalLines / 100);
  const long = bench.repository("runs-long");
  ask(long, "journal", sizes.journalLines);
  // The first list makes what the others read.
  many.clew("run", "list");
  bench.settle();
  const timing = await takeTurns(sizes.rounds, {
    node: () => program.nothing(),
    one: () => void one.clew("run", "list"),
    many: () => void many.clew("run", "list"),
    short: () => void short.clew("run", "show", "resumed", "--json"),
    long: () => void long.clew("run", "show", "resumed", "--json"),
  });
  const lines = grouped(sizes.journalLines);
  return [
    ratioRow(`run list among ${grouped(sizes.runs)} that are over / node -e 0`, timing.many, timing.node),
    ratioRow(`run list among ${grouped(sizes.runs)} / with one`, timing.many, timing.one, { atMost: 4 }),
    ratioRow(`run show of ${lines} journal lines / of a hundredth`, timing.long, timing.short, { atMost: 2 }),
  ];
}

/** @param {import("../lib/repository.mjs").Repository} repository */
export function homeOf({ folder }) {
  return join(folder, ".git", "clew");
}

/** The journal of the run `ended` under other names. @param {import("../lib/repository.mjs").Repository} repository @param {number} count */
export function copyJournal(repository, count) {
  const folder = join(homeOf(repository), "logs", "workflows");
  const text = readFileSync(join(folder, "ended.jsonl"), "utf8");
  for (let number = 1; number < count; number++) {
    const id = `ended-${number}`;
    writeFileSync(join(folder, `${id}.jsonl`), text.replaceAll('"workflow_id":"ended"', `"workflow_id":"${id}"`));
  }
}

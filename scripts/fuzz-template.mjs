// Compares the template engine with real Go on random templates, until it is stopped or the count is reached:
//   node scripts/fuzz-template.mjs [count] [seed]
// Needs Go 1.19 (Debian: golang-go). Prints its seed, and every template on which the two disagree.
import { cases, dataSets } from "../test/golden/go-template/cases.mjs";
import { randomCase } from "../test/golden/go-template/template-grammar.mjs";
import { agrees, loadEngine, startGo } from "../test/golden/go-template/go-template.mjs";

const count = Number(process.argv[2] ?? 100_000);
const seed = Number(process.argv[3] ?? Math.floor(Math.random() * 2 ** 31));
const batchSize = 500;

const known = cases.map(({ template, on }) => ({ template, data: dataSets[on] }));

console.log(`seed ${seed}`);
const [engine, go] = [await loadEngine(), startGo()];
const random = generator(seed);
let [done, skipped, wrong] = [0, 0, 0];
for (; done < count && wrong < 20; done += batchSize) {
  const batch = Array.from({ length: batchSize }, () => randomCase(random, known));
  const answers = await go.run(batch);
  for (const [at, asked] of batch.entries()) {
    const [theirs, ours] = [answers[at] ?? {}, engine.run(asked)];
    if (cannotCompare(ours, theirs)) skipped += 1;
    if (cannotCompare(ours, theirs) || agrees(asked, ours, theirs)) continue;
    wrong += 1;
    console.log(JSON.stringify({ ...asked, go: theirs, clew: ours }, null, 1));
  }
}
go.stop();
console.log(`${done} templates, ${skipped} skipped, ${wrong} differ (seed ${seed})`);
process.exitCode = wrong > 0 ? 1 : 0;

/** Go crashes or goes on for ever, or the two differ on purpose: Go's own include would take any number of arguments.
 * @param {import("../test/golden/go-template/go-template.mjs").Answer} ours
 * @param {import("../test/golden/go-template/go-template.mjs").Answer} theirs */
function cannotCompare(ours, theirs) {
  if (theirs.error === "limit" || theirs.error === "panic") return ours.error !== "crash";
  return ours.message?.includes("arguments for include") ?? false;
}

/** A small generator that gives the same numbers for the same seed: mulberry32.
 * @param {number} state */
function generator(state) {
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Measures what Clew claims about its speed, each claim against its floor, and prints a table. See README.md here.
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { append } from "./figures/append.mjs";
import { batch } from "./figures/batch.mjs";
import { beads } from "./figures/beads.mjs";
import { daemon } from "./figures/daemon.mjs";
import { engine } from "./figures/engine.mjs";
import { grimoire } from "./figures/grimoire.mjs";
import { head } from "./figures/head.mjs";
import { hooks } from "./figures/hooks.mjs";
import { hosts } from "./figures/hosts.mjs";
import { importing } from "./figures/import.mjs";
import { learn } from "./figures/learn.mjs";
import { list } from "./figures/list.mjs";
import { mcp } from "./figures/mcp.mjs";
import { merge } from "./figures/merge.mjs";
import { parse } from "./figures/parse.mjs";
import { run } from "./figures/run.mjs";
import { runs } from "./figures/runs.mjs";
import { save } from "./figures/save.mjs";
import { script } from "./figures/script.mjs";
import { search } from "./figures/search.mjs";
import { show } from "./figures/show.mjs";
import { start } from "./figures/start.mjs";
import { turns } from "./figures/turns.mjs";
import { Bench } from "./lib/bench.mjs";
import { load, machine } from "./lib/machine.mjs";
import { Place } from "./lib/place.mjs";
import { sizesOf } from "./lib/sizes.mjs";
import { renderTable } from "./lib/table.mjs";

/** In this order: what depends on a quiet disk comes first, what changes the large collection last. */
const figures = {
  start,
  hooks,
  append,
  run,
  script,
  engine,
  mcp,
  beads,
  merge,
  batch,
  parse,
  grimoire,
  turns,
  show,
  list,
  runs,
  daemon,
  search,
  learn,
  import: importing,
  save,
  head,
  hosts,
};

const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const unknown = options.only.filter((name) => !Object.hasOwn(figures, name));
if (unknown.length > 0) {
  console.error(`error: there is no figure ${unknown.join(", ")}; there are ${Object.keys(figures).join(", ")}`);
  process.exit(2);
}
await measure();

async function measure() {
  const sizes = sizesOf(options.quick);
  const place = new Place(sizes.neededBytes);
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.once(signal, () => {
      place.remove();
      process.exit(130);
    });
  }
  try {
    const bench = await Bench.open(place, sizes);
    const loadBefore = load();
    /** @type {import("./lib/rows.mjs").Row[]} */
    const rows = [];
    for (const [name, figure] of Object.entries(figures)) {
      if (options.only.length > 0 && !options.only.includes(name)) continue;
      process.stderr.write(`${name}…\n`);
      rows.push(...(await figure(bench)));
    }
    report(rows, { ...machine(), load_before: loadBefore, load_after: load() });
  } finally {
    place.remove();
  }
}

/**
 * @param {import("./lib/rows.mjs").Row[]} rows
 * @param {ReturnType<typeof machine> & { load_before: number, load_after: number }} at
 */
function report(rows, at) {
  console.log(`\n${at.date} · ${at.cores} × ${at.cpu} · ${at.memory_gb} GB · ${at.system} · node ${at.node}`);
  console.log(`load before ${at.load_before}, after ${at.load_after} (a run alone on the machine ends near 1)`);
  if (options.quick)
    console.log("QUICK RUN: small sizes and few rounds; these are not the figures, and no mark is judged");
  console.log(`\n${renderTable(rows, !options.quick)}\n`);
  const marked = rows.filter((row) => row.met !== null);
  if (!options.quick) console.log(`${marked.filter((row) => row.met).length} of ${marked.length} marks met`);
  if (options.json === undefined) return;
  writeFileSync(options.json, `${JSON.stringify({ machine: at, quick: options.quick, rows }, undefined, 2)}\n`);
}

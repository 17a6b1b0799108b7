import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startPostgres } from "../../tools/postgres/start.mjs";
import { grouped } from "../lib/bench.mjs";
import { plainRow } from "../lib/rows.mjs";
import { median } from "../lib/timing.mjs";

const files = fileURLToPath(new URL("../probes/runs.mjs", import.meta.url));
const dbos = fileURLToPath(new URL("../probes/dbos.mjs", import.meta.url));
const restate = fileURLToPath(new URL("../../tools/restate/", import.meta.url));
const steps = 200;

/** The same workflow of steps that do nothing, on files and on others' durable engines. @param {import("../lib/bench.mjs").Bench} bench */
export async function hosts(bench) {
  const { program, place, partsFile, sizes } = bench;
  /** @param {string[]} args */
  const ask = (...args) => JSON.parse(program.node(place.root, args).toString());
  const rounds = String(sizes.fewRounds);

  /** @type {{ stepMs: number[] }} */
  const onFiles = ask(files, partsFile, place.folder("hosts-files"), "steps", rounds, String(steps));
  const postgres = await startPostgres({ folder: `${place.root}-postgres` });
  /** @type {{ clewMs: number[], bareMs: number[] }} */
  let onDbos;
  try {
    onDbos = ask(dbos, partsFile, postgres.url, rounds, String(steps));
  } finally {
    await postgres.stop();
  }
  execFileSync("npm", ["ci", "--ignore-scripts"], { cwd: restate, stdio: "ignore" });
  /** @type {{ stepMs: number[] }} */
  const onRestate = ask(`${restate}steps.mjs`, place.folder("hosts-restate"), rounds, String(steps));

  const floor = median(onFiles.stepMs);
  /** @param {string} name @param {number[]} ms */
  const row = (name, ms) =>
    plainRow(`${grouped(steps)} steps on ${name}, each`, {
      value: median(ms),
      unit: "ms",
      floor: `${(median(ms) / floor).toFixed(1)} × files`,
    });
  return [
    row("files", onFiles.stepMs),
    row("Clew's DBOS host", onDbos.clewMs),
    row("DBOS by itself", onDbos.bareMs),
    row("Restate by itself", onRestate.stepMs),
  ];
}

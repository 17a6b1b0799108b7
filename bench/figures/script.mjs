import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";

const floorProgram = fileURLToPath(new URL("../probes/spawn-and-sync.mjs", import.meta.url));
const fewSteps = 3;

/** A script step that does nothing and has no values, through `clew run`. @param {import("../lib/bench.mjs").Bench} bench */
export async function script(bench) {
  const { program, place, sizes } = bench;
  const repository = bench.repository("script");
  const manySteps = fewSteps + sizes.scriptSteps;
  for (const count of [fewSteps, manySteps]) writeGrimoire(repository.folder, count);
  await repository.commitOther("Scripts that do nothing.\n");
  /** @param {number} count */
  const argsFor = (count) => ["run", newBead(repository), "--grimoire", `steps-${count}`, "--json"];
  const { peakMb } = program.clewInside(repository.folder, ...argsFor(manySteps));
  const target = join(place.root, "script-floor");
  /** @param {number} megabytes */
  const bare = (megabytes) =>
    Number(program.node(place.root, [floorProgram, target, ...[sizes.scriptSteps, megabytes].map(String)]));
  /** @param {number} count */
  const timeRun = (count) => {
    const args = argsFor(count);
    const startMs = performance.now();
    repository.clew(...args);
    return performance.now() - startMs;
  };
  bench.settle();
  const { small, large, step } = await takeTurns(sizes.fewRounds, {
    small: () => bare(0),
    large: () => bare(peakMb),
    step: () => (timeRun(manySteps) - timeRun(fewSteps)) / sizes.scriptSteps,
  });
  return [
    ratioRow("one script step of clew run / a bare spawn and fdatasync", step, small, { atMost: 2.5 }),
    ratioRow(`the same / from a process of ${Math.round(peakMb)} MB, as large as clew run`, step, large),
  ];
}

/** @param {import("../lib/repository.mjs").Repository} repository */
function newBead(repository) {
  /** @type {{ bead: { id: string } }} */
  const { bead } = JSON.parse(repository.clew("bead", "create", "Do nothing", "--json").toString());
  return bead.id;
}

/** @param {string} folder @param {number} count */
function writeGrimoire(folder, count) {
  const steps = Array.from(
    { length: count },
    (_, at) => `  - name: step-${at}\n    type: script\n    command: "true"\n`,
  );
  mkdirSync(join(folder, ".clew", "grimoires"), { recursive: true });
  const file = join(folder, ".clew", "grimoires", `steps-${count}.yaml`);
  writeFileSync(file, `name: steps-${count}\ndescription: Does nothing, often.\nsteps:\n${steps.join("")}`);
}

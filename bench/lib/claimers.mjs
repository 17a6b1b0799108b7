import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** @typedef {{ claimed: [bead: string, run: string][], started: string[] }} Told what one process has seen and made */

/**
 * Lets processes claim the same beads at the same time, each in an order of its own. Throws unless every bead got one
 * run, of which all of them know.
 * @param {{
 *   program: import("./program.mjs").Program, place: import("./place.mjs").Place, partsFile: string, probe: string,
 *   claimers: number, beads: number,
 * }} asked
 */
export async function claimAll({ program, place, partsFile, probe, claimers, beads }) {
  const folder = place.folder("claimers");
  const children = Array.from({ length: claimers }, (_, at) => {
    const args = [probe, partsFile, folder, "all", String(beads), String(at + 1)];
    const child = spawn(process.execPath, args, { env: program.env, stdio: ["pipe", "pipe", "inherit"] });
    place.watch(child);
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  /** What each says next; a process that ended says nothing. */
  const nextOfEach = () =>
    Promise.all(children.map(async ({ lines }) => /** @type {string | undefined} */ ((await lines.next()).value)));

  await nextOfEach();
  const startMs = performance.now();
  for (const { child } of children) child.stdin.end("go\n");
  const said = await nextOfEach();
  const tookMs = performance.now() - startMs;
  for (const { child } of children) if (child.exitCode === null) await once(child, "close");
  refuseUnlessOnce(
    said.map((line) => JSON.parse(line ?? "null")),
    beads,
  );
  return { tookMs };
}

/**
 * @param {(Told | null)[]} told
 * @param {number} beads
 */
function refuseUnlessOnce(told, beads) {
  if (told.includes(null)) throw new Error("a process that claims beads has failed");
  const started = told.flatMap((each) => each?.started ?? []);
  const pairs = new Set(told.flatMap((each) => (each?.claimed ?? []).map((pair) => pair.join(" "))));
  const isComplete = told.every((each) => each?.claimed.length === beads);
  if (started.length === beads && new Set(started).size === beads && pairs.size === beads && isComplete) return;
  const counts = `${started.length} runs were started on ${new Set(started).size} beads of ${beads}`;
  throw new Error(`not each bead was claimed once: ${counts}, and ${pairs.size} claims were seen`);
}

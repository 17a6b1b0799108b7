// Claims beads as a run does, without making the run.
//   node claims.mjs PARTS-FILE REPOSITORY one BEAD      prints the milliseconds that it took
//   node claims.mjs PARTS-FILE FOLDER all BEADS SEED    waits for a word, then prints what it claimed and started as JSON
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { randomFrom } from "../lib/random.mjs";

const [partsFile = "", folder = "", what = "", which = "", seed = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { bootName, claimFiles, gitAt, nodeDisk, openBeads, assumeRedacted, RunBeads, sqliteLocks, systemProcesses } =
  await import(pathToFileURL(partsFile).href);

const home = what === "one" ? join(folder, ".git", "clew") : folder;
const opened = sqliteLocks(join(home, "locks"));
const locks = async () => opened;
const boot = bootName();
const claims = claimFiles({
  disk: nodeDisk,
  folder: join(home, "claims"),
  locks,
  self: () => ({ pid: process.pid, started: systemProcesses().get(process.pid)?.started ?? "", boot }),
  isAlive: () => true,
  refuseWork: () => undefined,
});
const settle = async () => undefined;
const giveBack = async () => true;

if (what === "one") await claimOne(which);
else await claimEach(Array.from({ length: Number(which) }, (_, at) => `proj-${at.toString(36)}`));

/** A bead that no run works on, with its new status on disk. @param {string} bead */
async function claimOne(bead) {
  const { store } = await openBeads({
    disk: nodeDisk,
    git: gitAt(folder),
    repository: { root: folder, gitDir: join(folder, ".git"), commonDir: join(folder, ".git") },
    settings: { allow_outside_beads: false },
    locks,
    redact: async () => assumeRedacted,
    held: async () => new Map(),
    caller: async () => ({ user: "", terminal: null, pid: process.pid, steps: [] }),
    env: process.env,
  });
  const beads = new RunBeads({
    store,
    statusOfRun: () => "running",
    holder: (held) => claims.holder(held),
    nowMs: () => Date.now(),
    warn: (message) => {
      throw new Error(message);
    },
  });
  const id = `run-of-${bead}`;
  const startMs = performance.now();
  const { isNew } = await claims.claim(bead, {
    isOpen: () => true,
    find(isBegun) {
      if (isBegun || !beads.isOpen(bead)) throw new Error(`somebody works on ${bead}`);
      return undefined;
    },
    settle,
    giveBack,
    start: async () => id,
  });
  await beads.follow({ id, bead_id: bead });
  const tookMs = performance.now() - startMs;
  if (!isNew || store.find(bead)?.status !== "in_progress") throw new Error(`${bead} was not claimed`);
  process.stdout.write(String(tookMs));
}

/** All of them, in an order of its own, while others do the same. A run is a file that its process makes. @param {string[]} beads */
async function claimEach(beads) {
  const runs = join(folder, "runs");
  mkdirSync(runs, { recursive: true });
  const random = randomFrom(Number(seed));
  const order = beads.map((bead) => ({ bead, at: random() })).toSorted((a, b) => a.at - b.at);
  process.stdout.write("ready\n");
  await once(process.stdin, "data");
  /** @type {string[]} */
  const started = [];
  /** @type {[bead: string, run: string][]} */
  const claimed = [];
  for (const { bead } of order) {
    const { runId } = await claims.claim(bead, {
      isOpen: (run) => existsSync(join(runs, run)),
      find: (isBegun) => (isBegun ? readdirSync(runs).find((run) => run.startsWith(`${bead}.`)) : undefined),
      settle,
      giveBack,
      async start() {
        const run = `${bead}.${seed}`;
        writeFileSync(join(runs, run), "", { flag: "wx" });
        started.push(bead);
        return run;
      },
    });
    claimed.push([bead, runId]);
  }
  process.stdout.write(`${JSON.stringify({ claimed, started })}\n`, () => process.exit(0));
}

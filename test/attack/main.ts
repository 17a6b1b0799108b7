// Attacks the built program at random until the time is over, or so many processes were killed.
//   npm run attack -- --minutes 10 --lanes 2 --seed 5 --kills 10000 --only sessions|runs|beads|disk
import { parseArgs } from "node:util";
import { random } from "../support/random.ts";
import { canMount } from "../support/small-disk.ts";
import { BeadLane } from "./bead-lane.ts";
import { DiskLane } from "./disk-lane.ts";
import { Broken, type Lane } from "./lane.ts";
import { RunLane } from "./run-lane.ts";
import { SessionLane } from "./session-lane.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    kills: { type: "string", default: "Infinity" },
    only: { type: "string", default: "" },
  },
});
const seed = Number(values.seed);
const until = performance.now() + Number(values.minutes) * 60_000;
const wantedKills = Number(values.kills);
/** After so many acts a repository is left for a fresh one, so that they stay small. */
const actsPerRepository = 150;

const all: Record<string, (laneSeed: number) => Lane> = {
  sessions: (laneSeed) => new SessionLane(laneSeed),
  runs: (laneSeed) => new RunLane(laneSeed, actsPerRepository),
  beads: (laneSeed) => new BeadLane(laneSeed),
  ...(canMount() && { disk: (laneSeed) => new DiskLane(laneSeed) }),
};
const makers = Object.entries(all).flatMap(([name, make]) => (["", name].includes(values.only) ? make : []));
const done = { kills: 0, acts: 0, repositories: 0 };
const isOver = (): boolean => performance.now() >= until || done.kills >= wantedKills;

console.log(`attack: --seed ${seed}, ${values.lanes} lanes${canMount() ? "" : ", without full disks (needs root)"}`);
const report = setInterval(() => console.log(summary()), 10_000);
try {
  await Promise.all(Array.from({ length: Number(values.lanes) }, (_, at) => attack(random(seed + at * 1_000_003))));
} catch (error) {
  if (!(error instanceof Broken)) throw error;
  console.error(`BROKEN, with --seed ${seed}: ${error.message}`);
  process.exitCode = 1;
} finally {
  clearInterval(report);
  console.log(summary());
}

/** Each has numbers of its own: what the others do changes nothing in what this one tries. */
async function attack(next: () => number): Promise<void> {
  while (!isOver()) {
    const make = makers[Math.floor(next() * makers.length)]!;
    const lane = make(Math.floor(next() * 1_000_000));
    try {
      await through(lane);
    } catch (error) {
      const { message } = error as Error;
      throw new Broken(`${lane.name}: ${message}\nkept for a look: ${lane.root}`);
    }
    lane[Symbol.dispose]();
    done.repositories++;
  }
}

async function through(lane: Lane): Promise<void> {
  for (let acts = 0; acts < actsPerRepository && !isOver(); acts++) {
    const before = lane.kills;
    await lane.act();
    done.acts++;
    done.kills += lane.kills - before;
  }
  await lane.finish();
}

function summary(): string {
  return `${done.kills} kills, ${done.acts} acts, ${done.repositories} repositories`;
}

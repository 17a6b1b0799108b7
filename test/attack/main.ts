// Attacks the built program at random until the time is over, or so many processes were killed: whichever comes first.
//   npm run attack -- --minutes 10 --lanes 2 --seed 5 --kills 10000 --only sessions|runs|beads|disk
import { parseArgs } from "node:util";
import { random } from "../support/random.ts";
import { canMount } from "../support/small-disk.ts";
import { BeadLane } from "./bead-lane.ts";
import { DiskLane } from "./disk-lane.ts";
import { Broken, type Lane } from "./lane.ts";
import { RunLane } from "./run-lane.ts";
import { SessionLane } from "./session-lane.ts";
import { actsPerTurn, kindsInTurn } from "./turns.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    lanes: { type: "string", default: "2" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    kills: { type: "string", default: "Infinity" },
    only: { type: "string", default: "" },
  },
});
/** After so many acts a repository is left for a fresh one, so that they stay small. */
const actsPerRepository = 150;

const all: Record<string, (laneSeed: number) => Lane> = {
  sessions: (laneSeed) => new SessionLane(laneSeed),
  runs: (laneSeed) => new RunLane(laneSeed, actsPerRepository),
  beads: (laneSeed) => new BeadLane(laneSeed),
  ...(canMount() && { disk: (laneSeed) => new DiskLane(laneSeed) }),
};
const seed = amount("seed", 0);
const lanes = amount("lanes", 1);
const until = performance.now() + amount("minutes", 0) * 60_000;
const wantedKills = amount("kills", 0);
const kinds = Object.keys(all).filter((name) => ["", name].includes(values.only));
if (kinds.length === 0) refuse("only", `one of ${Object.keys(all).join(", ")}`);
const done = { acts: 0, repositories: 0 };
const kills = new Map(kinds.map((kind) => [kind, 0]));
const allKills = (): number => [...kills.values()].reduce((sum, each) => sum + each, 0);
const isOver = (): boolean => performance.now() >= until || allKills() >= wantedKills;

console.log(`attack: --seed ${seed}, ${lanes} lanes${canMount() ? "" : ", without full disks (needs root)"}`);
const report = setInterval(() => console.log(summary()), 10_000);
try {
  await Promise.all(Array.from({ length: lanes }, (_, at) => attack(at)));
} catch (error) {
  if (!(error instanceof Broken)) throw error;
  console.error(`BROKEN, with --seed ${seed}: ${error.message}`);
  process.exitCode = 1;
} finally {
  clearInterval(report);
  console.log(`${summary()}\nkills of each kind: ${[...kills].map(([kind, count]) => `${kind} ${count}`).join(", ")}`);
}

/** A repository that is gone on with when its kind has its turn again. */
interface Begun {
  lane: Lane;
  acts: number;
}

/**
 * Takes all kinds in turn, a few acts each. Each lane has numbers of its own: neither time nor what the others do changes what
 * it tries next.
 */
async function attack(at: number): Promise<void> {
  const next = random(seed + at * 1_000_003);
  const order = kindsInTurn(kinds, seed, at, lanes);
  const begun = new Map<string, Begun>();
  for (let turn = 0; !isOver(); turn++) {
    const kind = order[turn % order.length]!;
    const current = begun.get(kind) ?? { lane: all[kind]!(Math.floor(next() * 1_000_000)), acts: 0 };
    begun.set(kind, current);
    for (let acts = 0; acts < actsPerTurn && !isOver(); acts++, current.acts++) {
      await watched(kind, current.lane, () => current.lane.act());
      done.acts++;
    }
    if (current.acts < actsPerRepository) continue;
    begun.delete(kind);
    await finish(kind, current.lane);
  }
  for (const [kind, { lane }] of begun) await finish(kind, lane);
}

async function finish(kind: string, lane: Lane): Promise<void> {
  await watched(kind, lane, () => lane.finish());
  lane[Symbol.dispose]();
  done.repositories++;
}

/** Counts the kills, and tells where to look when something broke. */
async function watched(kind: string, lane: Lane, work: () => Promise<void>): Promise<void> {
  const before = lane.kills;
  try {
    await work();
  } catch (error) {
    throw new Broken(`${lane.name}: ${(error as Error).message}\nkept for a look: ${lane.root}`);
  } finally {
    kills.set(kind, kills.get(kind)! + lane.kills - before);
  }
}

function summary(): string {
  return `${allKills()} kills, ${done.acts} acts, ${done.repositories} repositories`;
}

function amount(name: "minutes" | "lanes" | "seed" | "kills", least: number): number {
  const number = Number(values[name]);
  return number >= least ? number : refuse(name, `a number from ${least}`);
}

function refuse(name: keyof typeof values, wanted: string): never {
  console.error(`--${name} ${values[name]}: it must be ${wanted}`);
  process.exit(2);
}

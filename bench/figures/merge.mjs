import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { grouped } from "../lib/bench.mjs";
import { proseFrom } from "../lib/prose.mjs";
import { randomFrom } from "../lib/random.mjs";
import { ratioRow } from "../lib/rows.mjs";
import { timingOf } from "../lib/timing.mjs";

const probe = fileURLToPath(new URL("../probes/merge.mjs", import.meta.url));
const trackedFiles = 300;
const fewChanged = 5;
const atMost = 0.2;

/** @typedef {{ totalMs: number, cpuMs: number, startMs: number, gateMs: number, gitMs: number, calls: number, guardedCalls: number }} Round */

/** Our own time from the making of a worktree to its merge and its end, beside that of git. @param {import("../lib/bench.mjs").Bench} bench */
export async function merge(bench) {
  const { sizes } = bench;
  return [...rowsOf(bench, fewChanged, sizes.rounds), ...rowsOf(bench, sizes.changedFiles, sizes.fewRounds)];
}

/** What is left when all that has to do with children is taken away. @param {Round} round */
function oursMs({ totalMs, startMs, gateMs, gitMs }) {
  return totalMs - startMs - gateMs - gitMs;
}

/** @param {import("../lib/bench.mjs").Bench} bench @param {number} changed @param {number} rounds */
function rowsOf(bench, changed, rounds) {
  const { program, partsFile, place } = bench;
  const folder = commitFiles(bench, `merge-${changed}`);
  bench.settle();
  /** @type {Round[]} */
  const measured = JSON.parse(
    program.node(place.root, [probe, partsFile, folder, String(rounds), String(changed)]).toString(),
  );
  /** @param {(round: Round) => number} part */
  const of = (part) => timingOf(measured.map(part));
  const atWork = of(({ gitMs }) => gitMs);
  const fromStart = of(({ startMs, gitMs }) => startMs + gitMs);
  const { calls = 0, guardedCalls = 0 } = measured[0] ?? {};
  const name = `merging ${grouped(changed)} files`;
  /** @param {string} what @param {(round: Round) => number} part */
  const row = (what, part) => ratioRow(`${name}: ${what} / git at work`, of(part), atWork);
  return [
    ratioRow(`${name}: our time / ${calls} calls of git, from start to end`, of(oursMs), fromStart, { atMost }),
    row("our time", oursMs),
    row("our processor time, with starting git,", ({ cpuMs }) => cpuMs),
    row("until git has started", ({ startMs }) => startMs),
    row(`the gate before ${guardedCalls} of the calls`, ({ gateMs }) => gateMs),
  ];
}

/** A repository with some files, and a person who may commit. @param {import("../lib/bench.mjs").Bench} bench @param {string} name */
function commitFiles(bench, name) {
  const { folder } = bench.repository(name);
  const sentence = proseFrom(randomFrom(trackedFiles));
  for (let at = 0; at < trackedFiles; at++) {
    const inner = join(folder, "src", String(at % 20));
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `file-${at}.txt`), Array.from({ length: 60 }, () => `${sentence()}\n`).join(""));
  }
  const { program } = bench;
  program.git(folder, "config", "user.name", "Bench");
  program.git(folder, "config", "user.email", "bench@example.invalid");
  program.git(folder, "add", "--all");
  program.git(folder, "commit", "--quiet", "--message", "Begin");
  return folder;
}

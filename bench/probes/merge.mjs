// From a worktree to its merge, over and over; prints where the time went in each round, as JSON.
//   node merge.mjs PARTS-FILE REPOSITORY ROUNDS CHANGED-FILES
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { GitTime } from "../lib/git-time.mjs";

const [partsFile = "", root = "", rounds = "", changed = ""] = process.argv.slice(2);
const time = new GitTime();
/** @type {typeof import("../parts.ts")} */
const { gitCalls, landMerge, makeWorktree, prepareMerge, removeWorktree, withWorktreesLock } = await import(
  pathToFileURL(partsFile).href
);

const commonDir = join(root, ".git");
const withLock = withWorktreesLock({ root, sessions: join(root, ".clew"), home: join(commonDir, "clew") });
let marks = 0;
const git = gitCalls({
  env: process.env,
  signal: new AbortController().signal,
  newMark: () => `bench-${process.pid}-${++marks}`,
  onProcess: ({ pid }) => time.opened(pid),
  onOutput: () => undefined,
});

/** @typedef {ReturnType<GitTime["take"]> & { totalMs: number, cpuMs: number }} Round */
/** @type {Round[]} */
const measured = [];
for (let number = 0; number <= Number(rounds); number++) {
  const round = await mergeOnce(number);
  if (number > 0) measured.push(round);
}
process.stdout.write(JSON.stringify(measured));

/** @param {number} number @returns {Promise<Round>} */
async function mergeOnce(number) {
  const runId = `run-${number}`;
  const branch = `clew/${runId}`;
  const base = execFileSync("git", ["-C", root, "rev-parse", "HEAD"], { encoding: "utf8" }).trim();
  let [totalMs, cpuMs] = [0, 0];
  /** @template T @param {() => Promise<T>} work */
  const timed = async (work) => {
    const startMs = performance.now();
    const before = process.cpuUsage();
    const result = await work();
    const { user, system } = process.cpuUsage(before);
    totalMs += performance.now() - startMs;
    cpuMs += (user + system) / 1000;
    return result;
  };

  const repository = { root, gitDir: commonDir, commonDir };
  const spec = { ...repository, bead: `proj-${number}`, runId, branch, base, target: "main", copy: [] };
  const making = { withLock, isOver: () => false, report: () => undefined };
  const made = await timed(() => makeWorktree(git, spec, making));
  if (made.kind !== "ready") throw new Error(`${made.message}\n${made.output}`);
  changeFiles(made.folder, number);
  const place = { worktree: made.folder, branch, base, target: "main", root, commonDir, copied: [], runId };
  const prepared = await timed(() =>
    prepareMerge(git, place, { strategy: "merge", commit: "The work", merge: "Merge the work" }),
  );
  if (prepared.kind !== "offer") throw new Error(JSON.stringify(prepared));
  const how = { onLanding: async () => undefined };
  const landed = await timed(() => landMerge(git, place, prepared.offer, how));
  if (landed.kind !== "landed") throw new Error(landed.message);
  const tools = { withLock, reasonToKeep: () => undefined };
  const removed = await timed(() => removeWorktree(git, repository, ({ run }) => run === runId, tools));
  if (removed.kind !== "removed" || removed.branchKept !== null) throw new Error(JSON.stringify(removed));
  return { ...time.take(), totalMs, cpuMs };
}

/**
 * What a run's steps would do: new files the first time, the same ones changed from then on.
 * @param {string} folder
 * @param {number} number
 */
function changeFiles(folder, number) {
  for (let at = 0; at < Number(changed); at++) {
    const inner = join(folder, "changed", String(at % 50));
    mkdirSync(inner, { recursive: true });
    writeFileSync(join(inner, `file-${at}.txt`), `as the work of round ${number} leaves it\n`.repeat(20));
  }
}

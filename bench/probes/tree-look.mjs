// What a call that a gate asks for adds: the tree of the worktree before and after it. Prints the milliseconds of each round, as JSON, and
// those of git alone, which looks at the same files twice.
//   node tree-look.mjs PARTS-FILE REPOSITORY ROUNDS
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [partsFile = "", root = "", rounds = ""] = process.argv.slice(2);
/** @type {typeof import("../parts.ts")} */
const { worktreeLook } = await import(pathToFileURL(partsFile).href);

const git = (/** @type {string[]} */ ...args) =>
  execFileSync("git", ["-C", root, ...args], { encoding: "utf8" }).trim();
const base = git("rev-parse", "HEAD");
const commonDir = join(root, ".git");
let marks = 0;
const look = worktreeLook(
  {
    env: process.env,
    newMark: () => `bench-${process.pid}-${++marks}`,
    repository: { root, gitDir: commonDir, commonDir },
  },
  {
    runId: "run-1",
    path: "implement",
    signal: new AbortController().signal,
    log: () => undefined,
    pinned: {
      folder: root,
      worktree: { branch: "main", setup: null, copy: [], keep_cancelled: false },
      base,
      target: "main",
    },
  },
);

/** @type {{ lookMs: number, gitMs: number }[]} */
const measured = [];
for (let round = 0; round <= Number(rounds); round++) {
  const lookMs = await timed(async () => {
    const before = await look.tree();
    writeFileSync(join(root, "changed.txt"), `${round}\n`);
    const after = await look.tree();
    if (before === undefined || after === undefined || before === after)
      throw new Error("the tree was not seen to change");
  });
  const gitMs = await timed(async () => {
    git("status", "--porcelain");
    git("status", "--porcelain");
  });
  if (round > 0) measured.push({ lookMs, gitMs });
}
process.stdout.write(JSON.stringify(measured));

/** @param {() => Promise<void>} work */
async function timed(work) {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

// Tries the program that was built on this Node on later versions of it: the demo, and tests that drive the front door.
//   npm run test:nodes            npm run test:nodes -- 24
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages, whyInstall } from "./lib/packages.mjs";
import { withLock } from "./lib/lock.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const tool = join(root, "tools/node");
const versions = process.argv.length > 2 ? process.argv.slice(2) : ["22", "24", "26"];

/** What touches the system in a way that a later Node may change: files, locks, processes, signals, streams, terminals. */
const core = [
  "start",
  "batch",
  "durability",
  "index",
  "search",
  "secrets",
  "grimoire-preview",
  "bead-create",
  "run-steps",
  "run-kills",
  "run-session",
  "mcp",
].map((name) => `test/e2e/${name}.test.ts`);
const longCore = ["damaged", "start-refusals", "run-processes", "run-stop", "run-landing-cases"].map(
  (name) => `test/e2e/${name}.long.test.ts`,
);

if (whyInstall(tool)) {
  console.log("installing Node 22, 24 and 26 for the tests into tools/node (about 600 MB, once)…");
  await withLock(tool, (noteChild) => installPackages(tool, noteChild));
}

/** @type {string[]} */
const failed = [];
for (const version of versions) {
  const node = join(tool, `node_modules/node-${version}-${process.platform}-${process.arch}/bin/node`);
  if (!existsSync(node)) {
    console.error(`there is no Node ${version} for ${process.platform} on ${process.arch} in tools/node`);
    failed.push(version);
    continue;
  }
  console.log(`── the demo on Node ${version}`);
  const demo = spawnSync(node, ["dist/clew.cjs", "demo"], { cwd: root, encoding: "utf8" });
  if (demo.status !== 0) console.error(demo.stdout + demo.stderr);
  console.log(`── tests on Node ${version}`);
  const statuses = [core, ["--mode", "long", ...longCore]].map(
    (files) =>
      spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", "run", ...files], {
        cwd: root,
        stdio: "inherit",
        env: { ...process.env, CLEW_TEST_NODE: node },
      }).status,
  );
  if (demo.status !== 0 || statuses.some((status) => status !== 0)) failed.push(version);
}
console.log(failed.length === 0 ? `Node ${versions.join(", ")}: all well` : `failed on Node ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;

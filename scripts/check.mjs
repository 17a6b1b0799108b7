// Runs every gate, also after one failed, and ends with a table. `--except NAME` leaves one out.
import { delimiter, resolve } from "node:path";
import { spawn } from "node:child_process";

/** @typedef {{ name: string, commands: string[][] }} Gate */
/** @typedef {{ name: string, passed: boolean, seconds: string }} Result */

/** Two at a time; they only read. @type {Gate[]} */
const readers = [
  { name: "build", commands: [["node", "scripts/prepare.mjs"]] },
  {
    name: "types",
    commands: [".", "scripts", "bench"].map(typesOf),
  },
  { name: "lint", commands: [["node", "scripts/gates/lint.mjs"]] },
  { name: "patterns", commands: [["node", "scripts/gates/patterns.mjs"]] },
  { name: "layers", commands: [["node", "scripts/gates/layers.mjs"]] },
  { name: "dead code", commands: [["knip"]] },
  { name: "format", commands: [["oxfmt", "--check"]] },
];

/** Alone and last: tests start many processes and print as they go. @type {Gate} */
const tests = { name: "tests", commands: [["vitest", "run"]] };

const atOnce = 2;
const env = {
  ...process.env,
  PATH: [resolve("node_modules/.bin"), process.env.PATH].join(delimiter),
  // The gates write into pipes, so they cannot tell by themselves whether colour is wanted.
  ...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: "1" } : { NO_COLOR: "1" }),
};
const except = process.argv[process.argv.indexOf("--except") + 1];

/** @type {Result[]} */
const results = [];
const waiting = readers.filter((gate) => gate.name !== except);
await Promise.all(Array.from({ length: atOnce }, runWaiting));
if (tests.name !== except) results.push(await runGate(tests, "live"));

console.log("");
for (const { name, passed, seconds } of results) {
  console.log(`${passed ? "✓" : "✗"} ${name.padEnd(12)} ${passed ? "passed" : "FAILED"} ${seconds.padStart(7)} s`);
}
process.exitCode = results.every((result) => result.passed) ? 0 : 1;

/** Only what changed since the last time, and what depends on it, is checked again. @param {string} project */
function typesOf(project) {
  const kept = `node_modules/.cache/clew/types-${project === "." ? "all" : project}.tsbuildinfo`;
  return ["tsc", "-p", project, "--incremental", "--tsBuildInfoFile", kept];
}

async function runWaiting() {
  for (let gate = waiting.shift(); gate; gate = waiting.shift()) results.push(await runGate(gate, "when ended"));
}

/**
 * @param {Gate} gate
 * @param {"live" | "when ended"} show
 * @returns {Promise<Result>}
 */
async function runGate({ name, commands }, show) {
  const startedMs = performance.now();
  if (show === "live") console.log(`── ${name}`);
  const ends = [];
  for (const command of commands) ends.push(await run(command, show));
  if (show === "when ended") console.log(`── ${name}\n${ends.map((end) => end.output).join("")}`.trimEnd());
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  return { name, passed: ends.every((end) => end.code === 0), seconds };
}

/**
 * @param {string[]} command
 * @param {"live" | "when ended"} show
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run([file = "", ...args], show) {
  return new Promise((done) => {
    const output = show === "live" ? "inherit" : "pipe";
    const child = spawn(file, args, { env, stdio: ["ignore", output, output] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (part) => (text += part));
    child.on("error", (error) => done({ code: null, output: `${file}: ${error.message}\n` }));
    child.on("close", (code) => done({ code, output: text }));
  });
}

// Runs on the embedded host, with handlers that do nothing; prints what it measured as JSON.
//   node runs.mjs PARTS-FILE FOLDER steps ROUNDS STEPS | long STEPS | waiting RUNS | ended | journal LINES | resume
import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { loopOf, plainSteps } from "../lib/steps.mjs";

const [partsFile = "", folder = "", what = "", ...numbers] = process.argv.slice(2);
const [first = 0, second = 0] = numbers.map(Number);
/** @type {typeof import("../parts.ts")} */
const {
  createRedactor,
  EmbeddedHost,
  nodeDisk,
  assumeRedacted,
  redactValue,
  runFolders,
  sqliteHeldLocks,
  sqliteLocks,
} = await import(pathToFileURL(partsFile).href);

const redactor = createRedactor({ env: process.env });
const locks = sqliteLocks(join(folder, "locks"));
let ids = 0;
const storage = {
  disk: nodeDisk,
  folders: runFolders(folder),
  locks: async () => locks,
  drivers: sqliteHeldLocks(join(folder, "locks", "runs")),
};
const host = new EmbeddedHost(storage, {
  nowMs: () => Date.now(),
  elapsedMs: () => performance.now(),
  newId: () => `id${++ids}`,
  boot: "bench",
  pid: process.pid,
  redact: (value) => redactValue(value, redactor.redact),
  endSurvivors: async () => undefined,
});

/** @type {import("../parts.ts").Handlers} */
const nothing = { script: async () => ({ success: true, output: "done", exit_code: 0 }) };

/** @type {Record<string, () => Promise<object>>} */
const works = { steps, long, waiting, ended, journal, resume };
process.stdout.write(JSON.stringify(await works[what]?.()));

/** Milliseconds per step, and per bare append with a sync of as many bytes as a completion has, in turns. */
async function steps() {
  const line = `${JSON.stringify({ type: "workflow.step.completed", text: "x".repeat(140) })}\n`;
  const bare = openSync(join(folder, "bare"), "a");
  /** @type {{ stepMs: number[], bareMs: number[] }} */
  const measured = { stepMs: [], bareMs: [] };
  for (let round = -1; round < first; round++) {
    const id = await host.start(`round-${round + 1}`, assumeRedacted(plainSteps(second)));
    let startMs = performance.now();
    for (let count = 0; count < second; count++) {
      writeSync(bare, line);
      fdatasyncSync(bare);
    }
    const bareMs = (performance.now() - startMs) / second;
    startMs = performance.now();
    await host.drive(id, { handlers: nothing });
    const stepMs = (performance.now() - startMs) / second;
    if (round < 0) continue;
    measured.stepMs.push(stepMs);
    measured.bareMs.push(bareMs);
  }
  closeSync(bare);
  return measured;
}

/** The cost of the first and the last tenth of a long run's steps, and the most memory it had. */
async function long() {
  const id = await host.start("long", assumeRedacted(loopOf(first)));
  /** @type {number[]} */
  const times = [];
  await host.drive(id, {
    handlers: nothing,
    onLine: ({ type }) => void (type === "loop.iteration" && times.push(performance.now())),
  });
  const tenth = Math.floor(times.length / 10);
  /** @param {number} from */
  const perStep = (from) => ((times[from + tenth - 1] ?? NaN) - (times[from] ?? NaN)) / (tenth - 1);
  // The first hundreds warm the program up.
  return { early: perStep(tenth), late: perStep(times.length - tenth), peakMb: peakMb() };
}

/** How much memory so many runs take while each waits for its step to end. */
async function waiting() {
  const begun = [];
  /** @type {import("../parts.ts").Handlers} */
  const waits = {
    script: (_task, { signal }) =>
      new Promise((resolve) => {
        begun.push(signal);
        signal.addEventListener("abort", () => resolve({ success: false, output: null }));
      }),
  };
  const stop = new AbortController();
  const drives = [];
  for (let count = 0; count < first; count++) {
    const id = await host.start(`waiting-${count}`, assumeRedacted(loopOf(3)));
    drives.push(host.drive(id, { handlers: waits, signal: stop.signal }));
  }
  while (begun.length < first) await new Promise((resolve) => setTimeout(resolve, 20));
  const residentMb = process.memoryUsage().rss / 1e6;
  stop.abort();
  await Promise.all(drives);
  return { residentMb, peakMb: peakMb() };
}

/** Makes a run that is over. */
async function ended() {
  const id = await host.start("ended", assumeRedacted(plainSteps(3)));
  return host.drive(id, { handlers: nothing });
}

/** Makes a journal of so many lines, most of them what an agent said, of a run that waits. */
async function journal() {
  const linesPerStep = 20;
  const count = Math.floor(first / linesPerStep);
  const id = await host.start("resumed", assumeRedacted(loopOf(count)));
  const stop = new AbortController();
  let done = 0;
  await host.drive(id, {
    signal: stop.signal,
    handlers: {
      script: async (_task, { log }) => {
        if (++done === count - 1) stop.abort();
        for (let at = 0; at < linesPerStep - 3; at++) {
          const output = "a line of what it saw\n".repeat(8);
          log(assumeRedacted({ type: "agent.tool_result", id: `call-${at}`, output, failed: false }));
        }
        return { success: true, output: "done", exit_code: 0 };
      },
    },
  });
  return {};
}

/** How long it takes until a resumed run does its next step. */
async function resume() {
  const stop = new AbortController();
  const startMs = performance.now();
  const before = process.cpuUsage();
  let tookMs = NaN;
  let workMs = NaN;
  await host.drive("resumed", {
    signal: stop.signal,
    handlers: {
      script: async () => {
        tookMs = performance.now() - startMs;
        const { user, system } = process.cpuUsage(before);
        workMs = (user + system) / 1000;
        stop.abort();
        return { success: true, output: "done" };
      },
    },
  });
  return { tookMs, workMs, peakMb: peakMb() };
}

function peakMb() {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? NaN) / 1000;
}

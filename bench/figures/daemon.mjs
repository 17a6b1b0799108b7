import { readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { grouped } from "../lib/bench.mjs";
import { plainRow, ratioRow } from "../lib/rows.mjs";
import { takeTurns } from "../lib/timing.mjs";
import { copyJournal, homeOf } from "./runs.mjs";

const runsProbe = fileURLToPath(new URL("../probes/runs.mjs", import.meta.url));
const clientsProbe = fileURLToPath(new URL("../probes/event-clients.mjs", import.meta.url));

/** @typedef {{ socket: string, pid: number }} Daemon */

/** The daemon: lists over many sessions and runs, events for many clients, and what it takes while nothing happens. @param {import("../lib/bench.mjs").Bench} bench */
export async function daemon(bench) {
  const { program, place, partsFile, sizes } = bench;
  const many = await bench.sessions(sizes.many);
  const withRuns = bench.repository("daemon-runs");
  program.node(place.root, [runsProbe, partsFile, homeOf(withRuns), "ended"]);
  copyJournal(withRuns, sizes.runs);
  withRuns.clew("run", "list");
  bench.settle();

  const [sessions, runs] = [start(many.repository), start(withRuns)];
  try {
    const body = await ask(sessions.socket, "/sessions?limit=50");
    const bare = await bareServer(body);
    const timing = await takeTurns(sizes.rounds * 5, {
      bare: async () => void (await ask(bare.port, "/")),
      sessions: async () => void (await ask(sessions.socket, "/sessions?limit=50")),
      runs: async () => void (await ask(runs.socket, "/workflows?limit=50")),
    });
    bare.close();
    const journal = join(homeOf(withRuns), "logs", "workflows", "ended.jsonl");
    const args = [
      runs.socket,
      journal,
      String(runs.pid),
      String(sizes.eventClients),
      String(sizes.pacedSeconds),
      "1000",
    ];
    const told = JSON.parse(program.node(place.root, [clientsProbe, ...args]).toString());
    // What the clients needed is let go first.
    await pause(3_000);
    const idle = await idleOf(runs.pid, sizes.pacedSeconds * 1000);
    const empty = bench.repository("daemon-idle");
    const fresh = start(empty);
    await pause(2_000);
    const freshIdle = await idleOf(fresh.pid, sizes.pacedSeconds * 1000);
    stop(empty);
    const clients = `${grouped(sizes.eventClients)} clients at 1,000 events/s`;
    return [
      plainRow(`GET /sessions among ${grouped(sizes.many)}`, {
        value: timing.sessions.medianMs,
        unit: "ms",
        atMost: 20,
      }),
      plainRow(`GET /workflows among ${grouped(sizes.runs)}`, { value: timing.runs.medianMs, unit: "ms", atMost: 20 }),
      ratioRow("GET /sessions / the same bytes from a bare node:http", timing.sessions, timing.bare),
      plainRow(`${clients}: events that were lost or out of order`, {
        value: told.isInOrder ? told.lost : NaN,
        unit: "",
        atMost: 0,
      }),
      plainRow(`${clients}: processor of the daemon`, { value: told.cores, unit: "cores", atMost: 0.5 }),
      plainRow(`idle, after its start: memory`, { value: freshIdle.mb, unit: "MB", atMost: 90 }),
      plainRow(`idle, after its start: processor`, { value: freshIdle.cores * 100, unit: "% of a core", atMost: 1 }),
      plainRow(`idle, after those clients and among ${grouped(sizes.runs)} runs: memory`, {
        value: idle.mb,
        unit: "MB",
      }),
      plainRow(`idle, among ${grouped(sizes.runs)} runs: processor`, {
        value: idle.cores * 100,
        unit: "% of a core",
        atMost: 1,
      }),
    ];
  } finally {
    stop(many.repository);
    stop(withRuns);
  }
}

/** @param {import("../lib/repository.mjs").Repository} repository @returns {Daemon} */
function start(repository) {
  return JSON.parse(repository.clew("daemon", "start", "--json").toString()).daemon;
}

/** @param {import("../lib/repository.mjs").Repository} repository */
function stop(repository) {
  repository.clew("daemon", "stop");
}

/** The body of an answer, from a socket or a port. @param {string | number} at @param {string} path @returns {Promise<string>} */
function ask(at, path) {
  const where = typeof at === "string" ? { socketPath: at } : { host: "127.0.0.1", port: at };
  return new Promise((resolve, reject) => {
    request({ ...where, path, headers: { host: "localhost" } }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (part) => (body += part));
      response.on("end", () => (response.statusCode === 200 ? resolve(body) : reject(new Error(body))));
    })
      .on("error", reject)
      .end();
  });
}

/** A server that only sends these bytes. @param {string} body @returns {Promise<{ port: number, close: () => void }>} */
function bareServer(body) {
  const server = createServer((_, response) => response.end(body));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = /** @type {import("node:net").AddressInfo} */ (server.address());
      resolve({ port: address.port, close: () => server.close() });
    });
  });
}

/** What a process takes while nothing happens. @param {number} pid @param {number} ms */
async function idleOf(pid, ms) {
  const before = cpuSeconds(pid);
  await pause(ms);
  const cores = (cpuSeconds(pid) - before) / (ms / 1000);
  const [, kb = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return { cores, mb: Number(kb) / 1000 };
}

/** @param {number} pid */
function cpuSeconds(pid) {
  const fields = (readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1] ?? "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

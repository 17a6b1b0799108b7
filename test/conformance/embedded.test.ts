import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { nodeDisk } from "../../src/adapters/files/node-disk.ts";
import { sqliteLocks, type Locks } from "../../src/adapters/files/lock.ts";
import type { RunStore } from "../../src/app/run/ports.ts";
import type { RunEvent } from "../../src/contract/run-journal.ts";
import type { RunHost } from "../../src/run/run-host.ts";
import { RunFolder } from "../support/run-host.ts";
import { describeDriving, describeHost } from "./host-suite.ts";
import { Mortal } from "./mortal.ts";
import { buildWorker } from "./processes/build-worker.ts";
import { ProcessHost } from "./processes/process-host.ts";
import { ProcessPool } from "./processes/process-pool.ts";
import { processWorld } from "./processes/process-world.ts";
import type { World } from "./world.ts";

let worker: string;
let shared: RunFolder;
let pool: ProcessPool;

beforeAll(async () => {
  worker = await buildWorker("embedded-worker.ts");
  shared = new RunFolder();
  pool = new ProcessPool(() => new ProcessHost(worker, [shared.root]));
});

afterAll(async () => {
  await pool?.close();
  shared?.[Symbol.dispose]();
  rmSync(worker, { force: true });
});

/** Several hosts within this process, each of which can die by itself. */
async function inOneProcess(): Promise<World> {
  const folder = new RunFolder();
  const lives = new Map<RunHost, { life: Mortal; locks: Locks }>();
  return {
    host() {
      const life = new Mortal();
      const locks = sqliteLocks(join(folder.root, "locks"));
      const parts = { disk: life.part(nodeDisk), drivers: life.locks(folder.drivers), locks: life.part(locks) };
      const host = folder.host({ ...parts, locks: async () => parts.locks });
      lives.set(host, { life, locks });
      return host;
    },
    crash: async (host) => lives.get(host)?.life.die(),
    events: async (runId) => eventsIn(folder.store, runId),
    allEvents: async () => eventsIn(folder.store, null),
    async [Symbol.asyncDispose]() {
      for (const { life, locks } of lives.values()) {
        life.die();
        locks.close();
      }
      folder[Symbol.dispose]();
    },
  };
}

function eventsIn(store: RunStore, runId: string | null): RunEvent[] {
  const ids = runId === null ? store.ids() : [runId];
  const lines = ids.flatMap((id) => [...store.lines(id)]);
  return lines.flatMap(({ line }) => ("n" in line ? [line] : [])).sort((a, b) => a.n - b.n);
}

async function inManyProcesses(): Promise<World> {
  return processWorld(pool, async (runId) => eventsIn(shared.store, runId));
}

describeHost("files, in one process", inOneProcess);
// Who drives and who takes over is what processes decide; all other cases with them belong to the long suite.
const isLong = (import.meta as { env?: { MODE?: string } }).env?.MODE === "long";
const describeProcesses = isLong ? describeHost : describeDriving;
describeProcesses("files, in many processes", inManyProcesses);

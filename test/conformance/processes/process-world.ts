import type { RunEvent } from "../../../src/contract/run-journal.ts";
import type { World } from "../world.ts";
import type { ProcessHost } from "./process-host.ts";
import type { ProcessPool } from "./process-pool.ts";

/** One test's share of the processes of a pool, and of the store that they all have in common. */
export function processWorld(pool: ProcessPool, eventsOf: (runId: string | null) => Promise<RunEvent[]>): World {
  const hosts = new Set<ProcessHost>();
  return {
    host() {
      const host = pool.take();
      hosts.add(host);
      return host;
    },
    crash: (host) => pool.kill(host as ProcessHost),
    events: eventsOf,
    allEvents: () => eventsOf(null),
    async [Symbol.asyncDispose]() {
      pool.giveBack(hosts);
    },
  };
}

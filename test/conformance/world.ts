import type { RunEvent } from "../../src/contract/run-journal.ts";
import type { RunHost } from "../../src/run/run-host.ts";

/** A store of runs, and the processes that work with it. */
export interface World extends AsyncDisposable {
  /** Another process. */
  host(): RunHost;
  /** That process dies at once: nothing that it does afterwards counts. Resolves when it is dead. */
  crash(host: RunHost): Promise<void>;
  /** A run's events, in their order. */
  events(runId: string): Promise<RunEvent[]>;
  /** Those of all runs in the store. */
  allEvents(): Promise<RunEvent[]>;
}

export type MakeWorld = () => Promise<World>;

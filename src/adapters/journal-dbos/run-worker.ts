import type { Handlers } from "../../run/handlers.ts";
import { sleep } from "../system/system.ts";
import type { DbosHost } from "./dbos-host.ts";

export interface WorkerOptions {
  handlers: Handlers;
  everyMs: number;
  /** Ends the worker; runs that it drives are interrupted. */
  signal: AbortSignal;
  onFault: (runId: string, error: unknown) => void;
}

/**
 * Makes this process a worker. At every interval it drives the runs that have something to do and no driver: new ones, those
 * of processes that died, those that got a signal. Resolves once `signal` was aborted and all drives have ended.
 */
export async function runWorker(host: DbosHost, { handlers, everyMs, signal, onFault }: WorkerOptions): Promise<void> {
  const driving = new Set<Promise<unknown>>();
  while (!signal.aborted) {
    await host.removeDeadQueues();
    for (const runId of await host.pendingRuns()) {
      const drive = host
        .drive(runId, { handlers, signal })
        .catch((error: unknown) => onFault(runId, error))
        .finally(() => driving.delete(drive));
      driving.add(drive);
    }
    await sleep(everyMs, signal);
  }
  await Promise.all(driving);
}

import type { Handlers } from "../../run/handlers.ts";
import { sleep } from "../system/system.ts";
import type { DbosHost } from "./dbos-host.ts";

export interface WorkerOptions {
  handlers: Handlers;
  everyMs: number;
  /** Ends it; what is being driven is interrupted. */
  signal: AbortSignal;
  onFault: (runId: string, error: unknown) => void;
}

/**
 * Makes this process a worker. At every beat it drives the runs that have something to do and that nobody drives: new
 * ones, those of processes that died, those that a person spoke to. Resolves once it was told to stop and has stopped.
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

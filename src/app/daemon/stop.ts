import type { DaemonInfo } from "../../contract/api/daemon.ts";
import { ClewError } from "../../contract/errors.ts";
import { daemonInfo, holderOf } from "./find.ts";
import type { DaemonPlace, Registration } from "./process-ports.ts";
import { schedulerAtWork } from "./start.ts";

export interface StopParts {
  place: DaemonPlace;
  /** The runs that a process drives. */
  drivenBy: (registration: Registration) => string[];
  elapsedMs: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Steps that are asked to end get some seconds for it, and are ended by force then. */
const limitMs = 120_000;
const lookEveryMs = 40;

/** Ends the daemon and returns when its process is gone; null when there was none. */
export async function stopDaemon(parts: StopParts, signal?: AbortSignal): Promise<DaemonInfo | null> {
  const { place } = parts;
  const startedMs = parts.elapsedMs();
  let asked: Registration | undefined;
  for (;;) {
    if (asked && !place.isAlive(asked)) return daemonInfo(asked) ?? null;
    const registration = asked ?? holderOf(place)?.registration;
    if (!registration) return null;
    if (registration.kind === "scheduler") throw schedulerAtWork(registration.pid);
    // One that comes up just now hears of it when it listens; one that ends needs no second request.
    if (!asked && registration.socket !== null) {
      if (!registration.is_ending) place.askToEnd(registration);
      asked = registration;
    }
    const isLate = parts.elapsedMs() - startedMs > limitMs;
    if (isLate || signal?.aborted) throw stillRuns(registration, parts.drivenBy(registration));
    await parts.sleep(lookEveryMs, signal);
  }
}

function stillRuns({ pid }: Registration, runs: string[]): ClewError {
  const what = runs.length === 0 ? "" : `: it drives ${runs.join(", ")}`;
  return new ClewError(
    "not_possible_now",
    `process ${pid} was asked to end, and is still there${what}`,
    `wait for it (clew daemon status), or end it at once by kill -9 ${pid}: its runs go on with the next daemon`,
  );
}

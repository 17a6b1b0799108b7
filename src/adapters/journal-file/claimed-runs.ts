import type { Disk } from "../files/disk.ts";
import { withFallback } from "../files/failure.ts";
import { paths, type Layout } from "../layout.ts";
import { runFolders } from "../layout/run-paths.ts";
import { isAliveIn } from "../shell/process-name.ts";
import { claimFiles } from "./claim-files.ts";
import { runStore } from "./run-store.ts";
import type { Claims } from "../../app/run/ports.ts";
import type { ClaimedRun } from "../../app/run/session/questions.ts";
import type { Signal } from "../../contract/run.ts";
import { pendingAnswer } from "../../run/signal-rules.ts";

/** Runs that hold a bead, read from their snapshots. Nothing here writes or takes a lock. */
export interface ClaimedRuns {
  all: () => ClaimedRun[];
  pendingSignal: (runId: string) => Signal["kind"] | undefined;
}

export function claimedRuns(disk: Disk, layout: Layout, boot: string): ClaimedRuns {
  const freeLocks = { tryAcquire: () => () => undefined };
  const store = runStore({ disk, folders: runFolders(layout.home), drivers: freeLocks });
  const claims = claimsToRead(disk, layout, boot);
  let cached: ClaimedRun[] | undefined;
  const all = (): ClaimedRun[] =>
    (cached ??= claims.all().flatMap(({ run, isDriven }) => {
      if (run === null) return [];
      // `clew run list` names a run that cannot be read, and says what is wrong.
      return withFallback(() => [{ state: store.state(run), isDriven }], []);
    }));
  return {
    all,
    pendingSignal: (runId) => pendingAnswer(store.pendingSignals(runId)),
  };
}

/** The claims, for a process that writes none. */
export function claimsToRead(disk: Disk, layout: Pick<Layout, "home">, boot: string): Pick<Claims, "all"> {
  const self = { pid: process.pid, started: "", boot };
  return claimFiles({
    disk,
    folder: paths.claims(layout),
    locks: refuseLock,
    self: () => self,
    isAlive: isAliveIn(boot),
    refuseWork: () => undefined,
  });
}

function refuseLock(): never {
  throw new Error("a reader takes no lock");
}

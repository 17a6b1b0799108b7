import type { Disk } from "../files/disk.ts";
import { withFallback } from "../files/failure.ts";
import { paths, runFolders, type Layout } from "../layout.ts";
import { claimFiles } from "./claim-files.ts";
import { runStore } from "./run-store.ts";
import { systemProcesses } from "../shell/processes.ts";
import type { UnfinishedRun } from "../../app/run/session/questions.ts";
import type { Signal } from "../../contract/run.ts";

/** Runs that hold a bead, read from their snapshots. Nothing here writes or takes a lock. */
export interface ClaimedRuns {
  all(): UnfinishedRun[];
  pendingSignal(runId: string): Signal["kind"] | undefined;
}

export function claimedRuns(disk: Disk, layout: Layout, boot: string): ClaimedRuns {
  const freeLocks = { tryAcquire: () => () => undefined };
  const store = runStore({ disk, folders: runFolders(layout.home), drivers: freeLocks });
  const claims = claimFiles({
    disk,
    folder: paths.claims(layout),
    locks: refuseLock,
    self: () => ({ pid: process.pid, started: "", boot }),
    isAlive: (claim) => claim.boot === boot && systemProcesses().get(claim.pid)?.started === claim.started,
  });
  let cached: UnfinishedRun[] | undefined;
  const all = (): UnfinishedRun[] =>
    (cached ??= claims.all().flatMap(({ run, isDriven }) => {
      if (run === null) return [];
      // `clew run list` names a run that cannot be read, and says what is wrong.
      return withFallback(() => [{ state: store.state(run), isDriven }], []);
    }));
  return {
    all,
    pendingSignal: (runId) => store.pendingSignals(runId).at(-1)?.signal.kind,
  };
}

function refuseLock(): never {
  throw new Error("a reader takes no lock");
}

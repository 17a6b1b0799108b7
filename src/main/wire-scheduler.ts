import { folderChanges } from "../adapters/daemon/folder-changes.ts";
import { startSurroundings } from "../adapters/git/start-surroundings.ts";
import { paths, rootPaths } from "../adapters/layout.ts";
import { runFolders } from "../adapters/layout/run-paths.ts";
import { pauseUnless } from "../adapters/system/timer.ts";
import type { BeadParts } from "../app/bead/parts.ts";
import type { DaemonPlace } from "../app/daemon/process-ports.ts";
import { refuseDaemonFromStep } from "../app/run/authority.ts";
import type { Caller } from "../app/run/ports.ts";
import type { SchedulerParts } from "../app/scheduler/ports.ts";
import type { RefusedBeads } from "../app/scheduler/refused-beads.ts";
import { WatchedRuns } from "../app/scheduler/watched-runs.ts";
import { startableBeadsReader } from "../app/scheduler/startable-beads.ts";
import type { Ground } from "./wire-ground.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface SchedulerWiring {
  runs: OpenedRuns;
  beads: BeadParts;
  refused: RefusedBeads;
  place: DaemonPlace;
  caller: Caller;
}

/** Puts together what works on ready beads by itself. */
export function openScheduler(
  ground: Ground,
  { runs, beads, refused, place, caller }: SchedulerWiring,
): SchedulerParts {
  const { disk, layout, repository, settings, env } = ground;
  const { store, claims, rules } = runs.checked;
  const { starter, control } = runs.forApi;
  const time = { nowMs: () => Date.now(), elapsedMs: () => performance.now(), pause: pauseUnless };
  return {
    limit: settings.max_concurrent_agents,
    ready: startableBeadsReader({ runs: runs.checked, beads, elapsedMs: time.elapsedMs }),
    runs: new WatchedRuns({
      store,
      starter,
      control,
      claims,
      nowMs: time.nowMs,
    }),
    refused,
    surroundings: startSurroundings({ disk, repository, env, rules }),
    time,
    changes: () => {
      const { journals, signals } = runFolders(layout.home);
      const own = [journals, signals, paths.claims(layout)];
      return folderChanges({ own, others: [layout.root, rootPaths.beads(layout.root)] });
    },
    hold() {
      refuseDaemonFromStep(caller);
      const taken = place.take("scheduler");
      return () => taken.release();
    },
  };
}

import type { Disk } from "../adapters/files/disk.ts";
import { acquireDaemonLock } from "../adapters/journal-file/daemon-lock.ts";
import { runFolders, type Layout } from "../adapters/layout.ts";
import { signalFiles } from "../adapters/journal-file/signal-files.ts";
import type { Beads } from "../app/bead/beads.ts";
import { cachedWhileUnchanged } from "../app/scheduler/cached-while-unchanged.ts";
import type { RefusedBeads } from "../app/scheduler/refused-beads.ts";
import type { SchedulerParts } from "../app/scheduler/ports.ts";
import { WatchedRuns } from "../app/scheduler/runs.ts";
import type { Settings } from "../contract/settings.ts";
import type { OpenedRuns } from "./wire-runs.ts";

interface SchedulerWiring {
  disk: Disk;
  layout: Layout;
  settings: Settings;
  runs: OpenedRuns;
  beads: Beads;
  refused: RefusedBeads;
  /** Another text as soon as something is changed that decides whether a bead can be started. */
  surroundings: () => string;
}

/** Puts together what works on ready beads by itself. */
export function openScheduler(parts: SchedulerWiring): SchedulerParts {
  const { disk, layout, settings, beads, refused, surroundings } = parts;
  const { reading, starter, control, claimed, store, claims } = parts.runs;
  const folders = runFolders(layout.home);
  const signals = signalFiles(disk, folders.signals);
  return {
    limit: settings.max_concurrent_agents,
    ready: cachedWhileUnchanged({
      stampNow: () => beads.changes,
      read: async () => {
        await claimed.reclaimLeft();
        await beads.refresh();
        return beads.startable().beads;
      },
      elapsedMs: () => performance.now(),
    }),
    runs: new WatchedRuns({
      store,
      reading,
      starter,
      control,
      holding: () => claims.all().flatMap(({ run }) => run ?? []),
      pendingSignalOf: (runId) => signals.list(runId).at(-1)?.id ?? null,
      nowMs: () => Date.now(),
    }),
    refused,
    surroundings,
    elapsedMs: () => performance.now(),
    nowMs: () => Date.now(),
    pause: async (ms, sooner) => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([new Promise((done) => (timer = setTimeout(done, ms))), sooner]);
      clearTimeout(timer);
    },
    hold: () => acquireDaemonLock(disk, layout),
  };
}

import { join } from "node:path";
import type { Disk } from "../adapters/files/disk.ts";
import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import { paths, type Layout } from "../adapters/files/layout.ts";
import { runFolders } from "../adapters/journal-file/run-paths.ts";
import { SignalFiles } from "../adapters/journal-file/signal-files.ts";
import type { Beads } from "../app/beads.ts";
import { keptWhileSame } from "../app/kept-while-same.ts";
import type { RefusedBeads } from "../app/refused-beads.ts";
import type { CheckedRuns } from "../app/run-checks.ts";
import { WatchedRuns } from "../app/scheduler-runs.ts";
import { Scheduler } from "../app/scheduler.ts";
import { ClewError } from "../contract/errors.ts";
import type { Settings } from "../contract/settings.ts";

interface SchedulerWiring {
  disk: Disk;
  layout: Layout;
  settings: Settings;
  runs: CheckedRuns;
  beads: Beads;
  refused: RefusedBeads;
  /** Another text as soon as something is changed that decides whether a bead can be started. */
  surroundings: () => string;
}

/** Puts together what works on ready beads by itself. */
export function openScheduler(parts: SchedulerWiring): Scheduler {
  const { disk, layout, settings, beads, refused, surroundings } = parts;
  const { runs, store, claims } = parts.runs;
  const folders = runFolders(layout.home);
  const signals = new SignalFiles(disk, folders.signals);
  return new Scheduler({
    limit: settings.max_concurrent_agents,
    ready: keptWhileSame({
      stampNow: () => beads.changes,
      read: async () => {
        await runs.reclaimLeft();
        await beads.refresh();
        return beads.startable().beads;
      },
      elapsedMs: () => performance.now(),
    }),
    runs: new WatchedRuns({
      runs,
      store,
      holding: () => claims.all().flatMap(({ run }) => run ?? []),
      wordFor: (runId) => signals.for(runId).at(-1)?.id ?? null,
    }),
    refused,
    surroundings,
    elapsedMs: () => performance.now(),
    pause: async (ms, sooner) => {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([new Promise((done) => (timer = setTimeout(done, ms))), sooner]);
      clearTimeout(timer);
    },
    hold: () => holdDaemon(disk, layout),
  });
}

/** The lock decides; the file beside it only tells whom to look for, and may be an older one's. */
function holdDaemon(disk: Disk, layout: Layout): () => void {
  const file = join(paths.stateFolder(layout), "daemon.json");
  const release = sqliteHeldLocks(paths.locks(layout)).tryHold("daemon");
  if (!release) {
    const pid = pidIn(disk.read(file));
    throw new ClewError(
      "not_possible_now",
      `a daemon is at work in this repository already${pid === undefined ? "" : `: process ${pid}`}`,
      "it takes up all that is ready; stop it with Ctrl-C in its terminal" +
        (pid === undefined ? "" : `, or by kill ${pid}`),
    );
  }
  try {
    disk.makeFolder(paths.stateFolder(layout));
    const text = JSON.stringify({ pid: process.pid, started: new Date().toISOString() });
    disk.replaceUnsynced(file, Buffer.from(`${text}\n`));
  } catch (error) {
    release();
    throw error;
  }
  return () => {
    try {
      disk.remove(file);
    } finally {
      release();
    }
  };
}

function pidIn(bytes: Buffer | undefined): number | undefined {
  try {
    const { pid } = JSON.parse(bytes?.toString("utf8") ?? "") as { pid?: unknown };
    return typeof pid === "number" ? pid : undefined;
  } catch {
    return undefined;
  }
}

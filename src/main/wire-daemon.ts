import { daemonChecks } from "../adapters/daemon/checks.ts";
import { daemonLog } from "../adapters/daemon/daemon-log.ts";
import { daemonPlace } from "../adapters/daemon/daemon-place.ts";
import { folderChanges } from "../adapters/daemon/folder-changes.ts";
import { ownProcess } from "../adapters/daemon/own-process.ts";
import { socketPath } from "../adapters/daemon/socket-path.ts";
import { claimsToRead } from "../adapters/journal-file/claimed-runs.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { runSnapshots } from "../adapters/journal-file/snapshots.ts";
import { paths } from "../adapters/layout.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import { knownRuns, type KnownRuns } from "../adapters/journal-file/known-runs.ts";
import { watchJournals } from "../adapters/journal-file/journal-watch.ts";
import { hookPaths } from "../adapters/layout/hook-paths.ts";
import { runFolders } from "../adapters/layout/run-paths.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { bootName, newId, sleep, systemIds } from "../adapters/system/system.ts";
import { daemonApi } from "../app/daemon/api.ts";
import type { Tokens } from "../app/daemon/ports.ts";
import type { DaemonPlace, Registration } from "../app/daemon/process-ports.ts";
import type { Check } from "../app/doctor/examine.ts";
import type { EventHub } from "../app/run/event-hub.ts";
import type { Asker } from "../app/run/ports.ts";
import { driversIn } from "../app/run/claimed-beads.ts";
import type { SchedulerParts } from "../app/scheduler/ports.ts";
import { bringIndexUpToDate } from "../app/session/list.ts";
import type { SessionParts } from "../app/session/parts.ts";
import type { Api } from "../contract/api/api.ts";
import { lazily } from "./lazily.ts";
import type { Operations, Surrounding } from "./app.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";

const nowIso = (): string => new Date().toISOString();

/** A look at all transcripts takes few milliseconds, and a daemon looks all day. */
const importEveryMs = 5_000;

/** The place that one process has at a time. */
export function openPlace({ disk, layout }: Ground, program: Program): DaemonPlace {
  return daemonPlace({ disk, layout, boot: bootName(), program: program.version, newId, nowIso });
}

export function openDaemonChecks(
  { disk, layout, repository, env }: Ground,
  place: DaemonPlace,
  program: Program,
): Check[] {
  const socket = socketPath(repository.commonDir, env);
  return daemonChecks({ disk, layout, place, socket, version: program.version });
}

/** The tokens for programs that call the daemon. */
export async function openTokens({ disk, layout, redactor }: Ground): Promise<Tokens> {
  const { tokenFiles } = await import("../adapters/daemon/token-files.ts");
  return tokenFiles({
    disk,
    folder: paths.tokens(layout),
    redact: async () => (await redactor()).redact,
    nowMs: () => Date.now(),
    newId: () => systemIds.random(10),
  });
}

interface DaemonWiring {
  program: Program;
  place: DaemonPlace;
  sessions: SessionParts;
  find: (name: string) => Promise<string>;
  scheduler: () => Promise<SchedulerParts>;
  eventHub: () => Promise<EventHub>;
  openForRequest: (asker: Asker) => Operations;
  onWarning: (listener: (message: string) => void) => void;
}

/** So often it is looked, at least, whether a session has become idle. */
const maxIdleLookMs = 60_000;

/** Operations that are put together for each request; what is known of all runs is shared by them. */
export function openForRequests(
  ground: Ground,
  { program, warn, openOperations }: RequestWiring,
): (asker: Asker) => Operations {
  const asked = { cwd: ground.layout.root, env: ground.env, program, progress: () => undefined, warn };
  let shared: KnownRuns | undefined;
  return (asker) => openOperations({ ...asked, asker, knownRuns: (shared ??= watchedRuns(ground)) });
}

interface RequestWiring {
  program: Program;
  warn: (message: string) => void;
  openOperations: (surrounding: Surrounding) => Operations;
}

/** What all requests of this process know of the runs. */
function watchedRuns({ disk, layout }: Ground): KnownRuns {
  const folders = runFolders(layout.home);
  return knownRuns(disk, folders, watchJournals(disk, folders));
}

/** Puts together what starts, is, and ends the daemon. */
export async function openDaemon(ground: Ground, wiring: DaemonWiring): Promise<Api["daemon"]> {
  const { disk, layout, repository, env, locks } = ground;
  const { idle_timeout: idleTimeoutMs } = ground.settings;
  const { program, place, sessions, find, scheduler, eventHub, openForRequest, onWarning } = wiring;
  const logFile = paths.daemonLog(layout);
  const log = daemonLog(logFile);
  const file = programPaths.clew(program.engines);
  const claims = claimsToRead(disk, layout, bootName());
  const snapshots = runSnapshots(disk, runFolders(layout.home));
  /** A claim names who drove a run last, also while it waits for a person. */
  const isAtWork = (run: string): boolean => (snapshots.read(run)?.status ?? "running") === "running";
  const drivenBy = (pid: number, started?: string): string[] =>
    driversIn(claims)
      .filter((driver) => driver.pid === pid && (started === undefined || driver.started === started))
      .map(({ run }) => run)
      .filter(isAtWork);
  return daemonApi({
    root: layout.root,
    version: program.version,
    place,
    log,
    scheduler,
    onWarning,
    own: ownProcess,
    async sockets() {
      const { daemonSockets } = await import("../adapters/daemon/sockets.ts");
      return daemonSockets(repository.commonDir, env);
    },
    async listen(at, self) {
      const { openServer } = await import("./wire-server.ts");
      const { redactValue } = await import("../redact/redact-value.ts");
      const { redact } = await ground.redactor();
      return openServer(ground, {
        program,
        tokens: await openTokens(ground),
        eventHub,
        openOperations: openForRequest,
        self: () => ({ daemon: self(), version: program.version, log: logFile, driving: drivenBy(process.pid) }),
        redact,
        log: (message) => log.write(nowIso(), "daemon.request_failed", redactValue({ message }, redact)),
      })(at, self);
    },
    async spawn(port) {
      const { spawnDaemon } = await import("../adapters/daemon/spawn-daemon.ts");
      return spawnDaemon({ root: layout.root, program: file, log: logFile, env }, port);
    },
    tokens: () => openTokens(ground),
    services: lazily(async () => {
      const { daemonServices } = await import("../adapters/daemon/services.ts");
      const { root } = layout;
      const { commonDir } = repository;
      const { platform, execPath } = process;
      return daemonServices({ platform, root, commonDir, program: [execPath, file], log: logFile, env });
    }),
    upkeep: {
      sessionChanges: () =>
        folderChanges({
          own: [paths.liveFolder(layout), paths.openFolder(layout)],
          others: [hookPaths.openFolder(layout.home)],
        }),
      refreshIndex: () => bringIndexUpToDate(sessions),
      idleAfterMs: idleTimeoutMs > 0 ? Math.min(idleTimeoutMs, maxIdleLookMs) : undefined,
      hasImported: () => disk.stamp(paths.imports(layout)) !== undefined,
      imports: async () => {
        const { openImports } = await import("./wire-imports.ts");
        return openImports(ground, { sessions, find, progress: () => undefined, lookEveryMs: importEveryMs });
      },
      removeOldRuns: () => snapshots.removeOld(Date.now()),
      async removeOldAnswers() {
        const { removeOldAnswers } = await import("../adapters/daemon/answer-files.ts");
        removeOldAnswers(disk, paths.daemonAnswers(layout), Date.now());
      },
      sleep,
    },
    drivenBy: ({ pid, process_started }: Registration) => drivenBy(pid, process_started),
    caller: () => systemCaller(env, driversAround),
    withLock: async (work) => (await locks()).with("daemon-start", work, startWaitMs),
    redact: async () => {
      const { redactValue } = await import("../redact/redact-value.ts");
      const { redact } = await ground.redactor();
      return (value) => redactValue(value, redact);
    },
    nowIso,
    nowMs: () => Date.now(),
    elapsedMs: () => performance.now(),
    sleep,
  });
}

/** Others may wait for a start that takes as long as one may, and for one more. */
const startWaitMs = 90_000;

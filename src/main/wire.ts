import { realPath } from "../adapters/files/real-path.ts";
import { repositorySetup } from "../adapters/git/repository-setup.ts";
import { runSigns } from "../adapters/journal-file/run-signs.ts";
import { paths } from "../adapters/layout.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { sleep, systemClock, systemIds } from "../adapters/system/system.ts";
import type { BeadRuns } from "../app/bead/run-against.ts";
import type { Check } from "../app/doctor/examine.ts";
import { repositoryApi } from "../app/repository/api.ts";
import { callerFor, refuseAnyStep } from "../app/run/authority.ts";
import type { EventHub } from "../app/run/event-hub.ts";
import type { Asker, Caller } from "../app/run/ports.ts";
import type { RunSessionOwner } from "../app/run/session/owner.ts";
import type { SchedulerParts } from "../app/scheduler/ports.ts";
import { waitingRefusals } from "../app/scheduler/waiting-refusals.ts";
import type { SearchIndex } from "../app/search/ports.ts";
import { sessionsApi } from "../app/session/api.ts";
import { findSession } from "../app/session/find.ts";
import type { LogParts } from "../app/session/log.ts";
import { sessionOwners, type SessionOwners } from "../app/session/owner.ts";
import { statusApi } from "../app/status/api.ts";
import type { WorkClaims } from "../app/work/ports.ts";
import type { WorktreeParts } from "../app/worktree/worktrees.ts";
import type { Api } from "../contract/api/api.ts";
import type { RefusedItem, WorkItem } from "../contract/api/inbox.ts";
import type { Bead } from "../contract/bead.ts";
import type { App, Operations, Surrounding } from "./app.ts";
import { closeIfMade, once } from "./once.ts";
import { openGround } from "./wire-ground.ts";
import type { ThreadPlace } from "./search-thread.ts";
import type { OpenedRuns } from "./wire-runs.ts";
import { openQuestions } from "./wire-questions.ts";
import { openSessions } from "./wire-sessions.ts";

interface AppSurrounding extends Surrounding {
  /** Puts the operations together anew, for another caller. */
  openOperations: (surrounding: Surrounding) => Operations;
}

/** Puts the parts together for the repository around `cwd`. */
export async function openApp({ cwd, env, program, progress, asker, ...around }: AppSurrounding): Promise<App> {
  const { origins, ...ground } = await openGround(cwd, env);
  const { disk, layout, locks } = ground;
  const { hasRuns, isRun, isWork, hasClaims, isClaimed, hasRefused, claimedRuns } = runSigns(disk, layout);
  const { isSetUp, init } = repositorySetup(ground);
  let tellWarning = around.warn;
  const warn = (message: string): void => tellWarning(message);

  const openSearch = async (folder: string | undefined): Promise<SearchIndex> =>
    new (await import("../adapters/search/search-parts.ts")).SearchParts(folder);
  const searches = {
    "on disk": once(() => openSearch(paths.search(layout))),
    "in memory": once(() => openSearch(undefined)),
  };
  const owners: SessionOwners = sessionOwners({
    run: { names: isRun, hasAny: hasRuns, load: async () => (await runs()).sessionOwner },
    work: {
      names: isWork,
      hasAny: () => false,
      load: async () => (await import("../app/work/owner.ts")).workSessionOwner(await work()),
    },
  });
  const sessions = openSessions(ground, {
    owners,
    search: (place) => searches[place](),
    fillInThreads: async (...work) => {
      const { fillInThreads } = await import("../adapters/search/fill-threads.ts");
      return fillInThreads(programPaths.searchThread(program.engines), { cwd, env } satisfies ThreadPlace)(...work);
    },
    progress,
    warn,
  });
  const { redact } = sessions;
  const find = (name: string | undefined): Promise<string> =>
    findSession({ ...sessions, folder: layout.sessions, resolvePath: realPath }, name);
  const log = async (): Promise<LogParts> => ({
    sessions,
    redact: await redact(),
    ids: systemIds,
    async refuseAnswer() {
      const { driversAround } = await import("../adapters/journal-file/claimed-drivers.ts");
      refuseAnyStep(callerFor(systemCaller(env, driversAround), asker));
    },
  });

  /** Who calls, for what an agent may not. Where nothing is claimed, no run is driven that would have to be looked for. */
  const caller = async (): Promise<Caller> => {
    if (!hasClaims())
      return callerFor(
        systemCaller(env, () => []),
        asker,
      );
    const { driversAround } = await import("../adapters/journal-file/claimed-drivers.ts");
    return callerFor(systemCaller(env, driversAround), asker);
  };
  const workClaims = async (): Promise<WorkClaims> =>
    (await import("./wire-work-claims.ts")).openWorkClaims(ground, sessions.records);
  const held = async (): Promise<ReadonlyMap<string, string>> =>
    hasClaims() ? (await workClaims()).held() : new Map<string, string>();
  const imports = async (): Promise<Api["imports"]> =>
    (await import("./wire-imports.ts")).openImports(ground, { sessions, find, progress });
  const beads = once(async () => (await import("./wire-beads.ts")).openBeads({ ...ground, redact, held, caller }));
  const readyBeads = async (): Promise<Bead[]> => (await beads()).ready();
  const refused = once(async () =>
    (await import("../adapters/journal-file/refused-files.ts")).refusedFiles({
      disk,
      folder: paths.refused(layout),
      redact,
      nowMs: () => systemClock.now(),
    }),
  );
  const refusedBeads = (): Promise<RefusedItem[]> => waitingRefusals({ hasAny: hasRefused, refused, beads });
  const waitingWork = async (): Promise<WorkItem[]> =>
    hasClaims() ? (await import("./wire-work-claims.ts")).openWaitingWork(ground, sessions) : [];
  const isPermission = (id: string): boolean => openQuestions(ground).find(id) !== undefined;
  const runs = once(async () => {
    const { openRuns } = await import("./wire-runs.ts");
    const { openGrimoires } = await import("./wire-definitions.ts");
    const { store } = await beads();
    return openRuns(ground, {
      sessions,
      grimoires: openGrimoires({ cwd, env, program, beads: store }),
      beads: store,
      refused: await refused(),
      program,
      asker,
      warn,
    });
  });
  const beadRuns: BeadRuns = {
    hasRuns,
    isClaimed,
    unfinishedRunOf: async (bead) =>
      (await import("../app/run/claimed-beads.ts")).unfinishedRunOf((await runs()).checked, bead),
    latestRunOf: async (bead) => (await import("../app/run/read.ts")).latestRunOf((await runs()).checked.reading, bead),
  };
  const chats = once(async () => new (await import("../app/agent/live-chats.ts")).LiveChats());
  const work = once(async () => {
    const { openWork } = await import("./wire-work.ts");
    const { openGrimoires } = await import("./wire-definitions.ts");
    const { store } = await beads();
    return openWork(ground, {
      cwd,
      program,
      log: await log(),
      find,
      beads: store,
      runs: await runs(),
      grimoires: openGrimoires({ cwd, env, program, beads: store }),
      chats: await chats(),
      caller,
      warn,
    });
  });
  const place = once(async () => (await import("./wire-daemon.ts")).openPlace(ground, program));
  const scheduler = async (): Promise<SchedulerParts> => {
    const { openScheduler } = await import("./wire-scheduler.ts");
    const parts = { runs: await runs(), beads: await beads(), refused: await refused(), place: await place() };
    return openScheduler(ground, { ...parts, caller: await caller() });
  };
  const worktrees = async (): Promise<WorktreeParts> => (await import("./wire-worktrees.ts")).openWorktrees(ground);

  return {
    origins,
    repository: async () =>
      repositoryApi({
        root: layout.root,
        isSetUp,
        init,
        importable: async () => (await import("./wire-imports.ts")).countImportable(ground),
      }),
    status: async () =>
      statusApi({
        isSetUp,
        overview: async () => {
          const { readStatus } = await import("./wire-status.ts");
          const runOwner = async (): Promise<RunSessionOwner> => (await runs()).sessionOwner;
          return readStatus({
            sessions,
            runOwner,
            claimedRuns,
            readyBeads,
            refusedBeads,
            waitingWork,
            isPermission,
            isRun,
          });
        },
        readyBeads,
      }),
    sessions: async () =>
      sessionsApi({
        sessions,
        find,
        log,
        sleep,
        caller,
        noteOrigin: async (id) => (await import("./wire-notes.ts")).originOfNote(ground, sessions, id),
      }),
    imports,
    inbox: async () =>
      (await import("../app/inbox/api.ts")).inboxApi({
        sessions,
        owners,
        refusedBeads,
        waitingWork,
        isPermission,
        log,
        questions: openQuestions(ground),
      }),
    search: async () => (await import("../app/search/api.ts")).searchApi({ sessions, findSession: find }),
    doctor: async () => {
      const { projectionChecks } = await import("../app/doctor/examine.ts");
      const { systemChecks } = await import("../adapters/system/checks.ts");
      const { groundChecks } = await import("../app/doctor/ground-checks.ts");
      const { engineCheck } = await import("../app/doctor/engine-check.ts");
      const { runChecks } = await import("../app/doctor/run-checks.ts");
      const { workChecks } = await import("../app/doctor/work-checks.ts");
      const { openProbes } = await import("./wire-engines.ts");
      const { openDaemonChecks } = await import("./wire-daemon.ts");
      const checked = async (): Promise<OpenedRuns["checked"]> => (await runs()).checked;
      const checks: Check[] = [
        ...systemChecks({ ...ground, commonDir: ground.repository.commonDir }),
        ...projectionChecks(sessions),
        ...groundChecks(checked),
        engineCheck(openProbes(program, env, ground.settings, layout.root), ground.settings.engine),
        ...runChecks(checked, worktrees),
        ...openDaemonChecks(ground, await place(), program),
        ...workChecks(workClaims),
      ];
      return (await import("../app/doctor/api.ts")).doctorApi(checks);
    },
    beads: async () => {
      const isRead = beads.isMade;
      const { beadsApi } = await import("../app/bead/api.ts");
      return beadsApi({ ...(await beads()), isRead, runs: beadRuns });
    },
    worktrees: async () => (await import("../app/worktree/api.ts")).worktreesApi(await worktrees()),
    runs: async () => (await import("../app/run/api.ts")).runsApi((await runs()).forApi),
    agents: async () => {
      const { openTalks } = await import("./wire-agents.ts");
      const { openGrimoires } = await import("./wire-definitions.ts");
      const { agentsApi } = await import("../app/agent/api.ts");
      return agentsApi(
        await openTalks(ground, {
          cwd,
          program,
          log,
          find,
          chats: await chats(),
          caller,
          agents: openGrimoires({ cwd, env, program }),
        }),
      );
    },
    work: async () => (await import("../app/work/api.ts")).workApi(await work()),
    scheduler: async () => (await import("../app/scheduler/api.ts")).schedulerApi(await scheduler()),
    daemon: async () => {
      const { openDaemon } = await import("./wire-daemon.ts");
      const onWarning = (listener: (message: string) => void): void => void (tellWarning = listener);
      const openForRequest = (by: Asker): Operations =>
        around.openOperations({ cwd: layout.root, env, program, progress: () => undefined, warn, asker: by });
      const eventHub = async (): Promise<EventHub> => (await runs()).forApi.eventHub;
      return openDaemon(ground, {
        program,
        place: await place(),
        sessions,
        find,
        scheduler,
        eventHub,
        openForRequest,
        onWarning,
      });
    },
    async close() {
      await closeIfMade(runs, ({ checked }) => checked.control.worktreesPutAway());
      await closeIfMade(searches["on disk"], (index) => index.close());
      await closeIfMade(locks, (each) => each.close());
    },
  };
}

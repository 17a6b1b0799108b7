import { realPath } from "../adapters/files/real-path.ts";
import { repositorySetup } from "../adapters/git/repository-setup.ts";
import { openMarks } from "../adapters/hooks/open-marks.ts";
import { runSigns } from "../adapters/journal-file/run-signs.ts";
import { paths } from "../adapters/layout.ts";
import { programPaths } from "../adapters/layout/program-paths.ts";
import { hasAnyTurns, hasTurns } from "../adapters/turns/turn-signs.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { sleep, systemClock, systemIds } from "../adapters/system/system.ts";
import type { BeadRuns } from "../app/bead/run-against.ts";
import { repositoryApi } from "../app/repository/api.ts";
import { callerFor } from "../app/run/authority.ts";
import type { Caller } from "../app/run/ports.ts";
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
import { openAgentWork } from "./wire-agent-work.ts";
import { openGround } from "./wire-ground.ts";
import type { ThreadPlace } from "./search-thread.ts";
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
  const { hasRuns, isRun, isWork, isTalk, hasClaims, isClaimed, hasRefused, claimedRuns } = runSigns(disk, layout);
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
    chat: {
      names: isTalk,
      hasAny: () => false,
      async load() {
        const { place: talkPlace, ...parts } = await talks();
        return (await import("../app/agent/owner.ts")).talkOwner({ ...parts, folder: talkPlace.folder, warn });
      },
    },
    turns: {
      names: (id) => hasTurns(disk, layout, id),
      hasAny: () => hasAnyTurns(disk, layout),
      load: async () => (await import("./wire-turns.ts")).openTurnOwner(ground, sessions, warn),
    },
  });
  const ownSessions = openSessions(ground, {
    owners,
    search: (place) => searches[place](),
    fillInThreads: async (...work) => {
      const { fillInThreads } = await import("../adapters/search/fill-threads.ts");
      return fillInThreads(programPaths.searchThread(program.engines), { cwd, env } satisfies ThreadPlace)(...work);
    },
    progress,
    warn,
  });
  const takeInHooks = async (): Promise<void> => {
    if (openMarks(layout.home).length === 0) return;
    await (await import("./wire-hooks.ts")).takeInHookSessions(ground, ownSessions);
  };
  const sessions = { ...ownSessions, takeInHooks };
  const { redact } = sessions;
  const find = async (name: string | undefined): Promise<string> => {
    if (name === "latest") await takeInHooks();
    return findSession({ ...sessions, folder: layout.sessions, resolvePath: realPath }, name);
  };
  const log = async (): Promise<LogParts> => ({
    sessions,
    redact: await redact(),
    ids: systemIds,
    // Also of a repository in which nothing is claimed: a step of another one may ask.
    async caller() {
      const { driversAround } = await import("../adapters/journal-file/claimed-drivers.ts");
      return callerFor(systemCaller(env, driversAround), asker);
    },
    isPermission: (id) => isPermission(id),
  });

  /** Who calls, for what an agent may not. Where nothing is claimed, no run is driven that would have to be looked for. */
  const caller = async (): Promise<Caller> => {
    const drivers = hasClaims()
      ? (await import("../adapters/journal-file/claimed-drivers.ts")).driversAround
      : () => [];
    return callerFor(systemCaller(env, drivers), asker);
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
  const { runs, connectedRuns, rehydrations, rehydrationAnswerer, talks, work, turns, executions } = openAgentWork(
    ground,
    { ...around, cwd, program, asker, warn, sessions, find, log, caller, beads, refused },
  );
  const beadRuns: BeadRuns = {
    hasRuns,
    isClaimed,
    unfinishedRunOf: async (bead) =>
      (await import("../app/run/claimed-beads.ts")).unfinishedRunOf((await runs()).checked, bead),
    latestRunOf: async (bead) => (await import("../app/run/read.ts")).latestRunOf((await runs()).checked.reading, bead),
  };
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
            openPlans: async () => {
              if (!hasAnyTurns(disk, layout)) return [];
              const { openTurnOwner } = await import("./wire-turns.ts");
              return (await openTurnOwner(ground, sessions, warn)).waiting(new Set());
            },
            isPermission,
            isRun,
          });
        },
        readyBeads,
      }),
    sessions: async () => ({
      ...(await import("./wire-questions.ts")).openSessionAgents(ground, { sessions, find, caller }),
      ...sessionsApi({
        sessions,
        find,
        log,
        sleep,
        changes: async (id) => {
          const { folderChanges } = await import("../adapters/daemon/folder-changes.ts");
          return folderChanges({ own: [paths.liveFolder(layout)], others: [paths.session(layout, id)] });
        },
        caller,
        rehydrations,
        sessionOfRun: async (run) => (await runs()).forApi.sessionOf(run),
        noteOrigin: async (id) => (await import("./wire-notes.ts")).originOfNote(ground, sessions, id),
      }),
    }),
    codify: async () =>
      (await import("./wire-codify.ts")).openCodify(ground, { cwd, program, sessions, find, runs, beads, turns }),
    turns: async () => {
      const { lazyExecutions } = await import("./lazy-executions.ts");
      return { ...(await import("../app/turn/api.ts")).turnsApi(await turns()), ...lazyExecutions(executions) };
    },
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
    learn: async () => (await import("./wire-learn.ts")).openLearn(ground, { sessions, find, progress }),
    search: async () => (await import("../app/search/api.ts")).searchApi({ sessions, findSession: find }),
    doctor: async () =>
      (await import("./wire-doctor.ts")).openDoctor(ground, {
        sessions,
        program,
        runs: async () => (await runs()).checked,
        worktrees,
        place: await place(),
        workClaims,
      }),
    beads: async () => {
      const isRead = beads.isMade;
      const { beadsApi } = await import("../app/bead/api.ts");
      return beadsApi({ ...(await beads()), isRead, runs: beadRuns });
    },
    worktrees: async () => (await import("../app/worktree/api.ts")).worktreesApi(await worktrees()),
    hooks: async () => (await import("./wire-hooks.ts")).openHooks(ground, program, place),
    evidence: async () => (await import("./wire-evidence.ts")).openEvidence(ground, async () => (await runs()).forApi),
    connections: async () => (await import("./wire-hooks.ts")).openConnections(ground, program),
    policies: async () => (await import("./wire-policies.ts")).openPolicies(ground),
    runs: async () => (await import("../app/run/api.ts")).runsApi((await runs()).forApi),
    agents: async () => (await import("../app/agent/api.ts")).agentsApi(await talks()),
    work: async () => (await import("../app/work/api.ts")).workApi(await work()),
    scheduler: async () => (await import("../app/scheduler/api.ts")).schedulerApi(await scheduler()),
    daemon: async () => {
      const { openDaemon, openForRequests } = await import("./wire-daemon.ts");
      const onWarning = (listener: (message: string) => void): void => void (tellWarning = listener);
      const openForRequest = openForRequests(ground, { program, warn, openOperations: around.openOperations });
      return openDaemon(ground, {
        program,
        place: await place(),
        sessions,
        find,
        scheduler,
        eventHub: async () => (await runs()).forApi.eventHub,
        openForRequest,
        onWarning,
      });
    },
    connectedRuns,
    workflowHistory: async () =>
      (await import("./wire-workflow-history.ts")).openWorkflowHistory(ground, {
        cwd,
        runs: async () => (await import("../app/run/api.ts")).runsApi((await runs()).forApi),
      }),
    hookAnswerer: async (name) => {
      if (name === "rehydrate") return rehydrationAnswerer();
      const { store } = (await runs()).checked;
      if (name === "held") return (await import("./wire-policies.ts")).openHeldAgents(ground, store);
      return (await import("./wire-evidence.ts")).openConnectedWitness(ground, store);
    },
    async close() {
      await closeIfMade(connectedRuns, (each) => each.close());
      await closeIfMade(runs, ({ checked }) => checked.control.worktreesPutAway());
      await closeIfMade(searches["on disk"], (index) => index.close());
      await closeIfMade(locks, (each) => each.close());
    },
  };
}

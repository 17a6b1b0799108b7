import { scriptFile, scriptOrigin } from "../adapters/engines/scripted/script-file.ts";
import { readConfigAround } from "../adapters/files/config.ts";
import { sqliteHeldLocks, type HeldLocks } from "../adapters/files/held-lock.ts";
import { excludeOwnFiles } from "../adapters/git/exclude.ts";
import { withWorktreesLockSoon } from "../adapters/git/locks-of-git.ts";
import { repositorySetup } from "../adapters/git/repository-setup.ts";
import { runGround } from "../adapters/git/run-ground.ts";
import { runRemains } from "../adapters/git/doctor-remains.ts";
import { runDiffs } from "../adapters/git/steps/run-diffs.ts";
import { runWorktrees } from "../adapters/git/steps/run-worktrees.ts";
import { readOnlyGit, unrecordedGit } from "../adapters/git/unrecorded-git.ts";
import { claimFiles } from "../adapters/journal-file/claim-files.ts";
import { driversAround } from "../adapters/journal-file/claimed-drivers.ts";
import { EmbeddedHost } from "../adapters/journal-file/embedded-host.ts";
import { placeOfPhase } from "../adapters/journal-file/phase-place.ts";
import { handedInResults } from "../adapters/journal-file/handed-in-results.ts";
import { interruptedWork } from "../adapters/journal-file/interrupted-work.ts";
import type { KnownRuns } from "../adapters/journal-file/known-runs.ts";
import { watchJournals } from "../adapters/journal-file/journal-watch.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { paths } from "../adapters/layout.ts";
import { continueKeys } from "../adapters/layout/user-paths.ts";
import { runFolders } from "../adapters/layout/run-paths.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { isAliveIn, thisProcess } from "../adapters/shell/process-name.ts";
import { cleanUpAfter } from "../adapters/shell/survivors.ts";
import { refuseTempFolder } from "../adapters/shell/temp-folder.ts";
import { continueTokens } from "../adapters/system/continue-tokens.ts";
import { bootName, newId, sleep } from "../adapters/system/system.ts";
import { after } from "../adapters/system/timer.ts";
import { openEngines } from "./engines.ts";
import { refuseEngine } from "../app/agent/talk-options.ts";
import { findClearBeadId, findBeadId } from "../app/bead/find.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { CheckedGround } from "../app/doctor/ground-checks.ts";
import type { CheckedRuns } from "../app/doctor/run-checks.ts";
import { definitionForRun, type GrimoireParts } from "../app/grimoire/grimoires.ts";
import type { HookAnswerer } from "../app/hook/answer.ts";
import type { Rehydrations } from "../app/rehydrate/rehydrations.ts";
import { stepRehydration } from "../app/rehydrate/step-rehydration.ts";
import type { RunsApiParts } from "../app/run/api.ts";
import { RunBeads } from "../app/run/bead-of-run.ts";
import { callerFor } from "../app/run/authority.ts";
import { changesSince, type SettingsNow } from "../app/run/changes.ts";
import type { ConnectedRunsParts } from "../app/run/connected/connected-runs.ts";
import { RunControl } from "../app/run/control.ts";
import { EventHub } from "../app/run/event-hub.ts";
import type { Asker, Caller, Claims } from "../app/run/ports.ts";
import { isRunOver } from "../app/run/read.ts";
import { runSessionOwner, type RunSessionOwner } from "../app/run/session/owner.ts";
import { projectedRunSessions } from "../app/run/session/projected-sessions.ts";
import { runSettings } from "../app/run/settings.ts";
import { pinRun, surveyGround } from "../app/run/pin-run.ts";
import { RunStarter } from "../app/run/starter.ts";
import type { RefusedBeads } from "../app/scheduler/refused-beads.ts";
import { changeSession, type ChangeRecord } from "../app/session/change.ts";
import type { SessionParts } from "../app/session/parts.ts";
import { heldByWork, isWorkOpen } from "../app/work/work-holder.ts";
import type { Verification } from "../contract/run.ts";
import { redactValue } from "../redact/redact-value.ts";
import type { Redactor } from "../redact/redactor.ts";
import type { Program } from "./program.ts";
import type { Ground } from "./wire-ground.ts";
import { startRules } from "./wire-start-rules.ts";
import { openMissingEvidence } from "./wire-evidence.ts";
import { openHandlers } from "./wire-steps.ts";

interface RunWiring {
  sessions: SessionParts;
  grimoires: GrimoireParts;
  beads: BeadStore;
  refused: Pick<RefusedBeads, "drop">;
  program: Program;
  /** What tells agents where they stand. */
  rehydrations: () => Promise<Rehydrations>;
  /** The same by their hooks. */
  rehydrate: HookAnswerer;
  /** Who asks this process, when it is not called by itself. */
  asker?: Asker | undefined;
  /** What this process knows of all runs already. */
  knownRuns?: KnownRuns | undefined;
  warn: (message: string) => void;
}

export interface OpenedRuns {
  /** What the doctor looks at. */
  checked: CheckedRuns & CheckedGround;
  sessionOwner: RunSessionOwner;
  /** What the operations on runs need. */
  forApi: RunsApiParts;
  /** What runs of connected agents need beside the operations. */
  forConnected: Omit<ConnectedRunsParts, "runs" | "rehydrations">;
}

/** Engines give up a call of a tool after a minute. */
const connectedWaitMs = 25_000;

const nowMs = (): number => Date.now();

/** Puts together what runs grimoires: the host on files, the handlers of steps, the engines. */
export async function openRuns(ground: Ground, wiring: RunWiring): Promise<OpenedRuns> {
  const { disk, layout, repository, settings, env } = ground;
  const { sessions, grimoires, program, warn } = wiring;
  const redactor = await ground.redactor();
  const drivers = sqliteHeldLocks(paths.driverLocks(layout));
  const store = runStore({ disk, folders: runFolders(layout.home), drivers }, wiring.knownRuns);
  const host = openHost(ground, drivers, redactor);
  const claims = openClaims(ground, sessions);
  const isOver = (runId: string): boolean => isRunOver(store, runId);
  const git = unrecordedGit(env);
  const caller = (): Caller => callerFor(systemCaller(env, driversAround), wiring.asker);
  const settingsNow = (): Promise<SettingsNow> => readRunSettings(ground);

  const runRecords = {
    records: sessions.records,
    changeSession: (id: string, work: ChangeRecord) => changeSession(sessions, id, work),
    store,
    placeOf: (id: string, n: number) => placeOfPhase(disk, store.path(id), n),
    redact: sessions.redact,
    channel: settings.channel,
    warn,
  };
  const runSessions = projectedRunSessions({ ...runRecords, later: after });
  const sessionOf = (runId: string): string | undefined => runSessions.idOf(runId);
  const beads = new RunBeads({
    store: wiring.beads,
    statusOfRun: (id) => store.state(id).status,
    holder: (bead) => claims.holder(bead),
    nowMs,
    warn,
  });
  const rules = startRules({ repository, beads: wiring.beads, redactor, engines: program.engines, settings, env });
  const startGround = runGround({ git, repository, isOver });
  const verificationOf = (runId: string): Verification | undefined => interruptedWork(store, runId).verification;
  const worktrees = runWorktrees({
    repository,
    settings: settings.worktree,
    git,
    withLock: withWorktreesLockSoon(layout),
    verificationOf,
  });
  const reading = { store, worktrees, findBeadId: (name: string) => findBeadId(wiring.beads, name), nowMs };
  const handedIn = handedInResults({ disk, folder: runFolders(layout.home).handedIn, later: after });
  const rehydration = stepRehydration({ rehydrations: wiring.rehydrations, store, sessionOf });
  const handlers = openHandlers(ground, {
    redactor,
    program,
    isRunOver: isOver,
    sessionOf,
    handedIn,
    rehydration,
    rehydrate: wiring.rehydrate,
  });
  const parts = { host, store, claims, beads, sessions: runSessions, worktrees };
  const starter = new RunStarter({
    ...parts,
    ground: {
      survey: (request) => surveyGround(request, { ground: startGround, rules }),
      pin: (id, request, survey) =>
        pinRun(id, request, survey, {
          define: (runRequest) => definitionForRun(grimoires, runRequest),
          settings: settingsNow,
          policy: async () => (await import("./wire-policies.ts")).rulesNow(ground),
          worktrees,
          rules,
        }),
      refuseLeftOut: repositorySetup(ground).refuseLeftOut,
      prepare: sessions.ground.prepare,
      onBegun: (bead) => wiring.refused.drop(bead),
      toAscii: sessions.ground.toAscii,
      nowMs,
      caller,
    },
  });
  const control = new RunControl({
    ...parts,
    agentSignals: host,
    ground: {
      handlers,
      hideOwnFiles: () => excludeOwnFiles(disk, repository.commonDir),
      refuseUnfit: () => refuseTempFolder(layout.root),
      refuseEngine: (name, run) => refuseEngine(rules.engines, run, name),
      caller,
      redact: redactor.redact,
      nowMs,
      sleep,
    },
  });
  const remains = runRemains({
    store,
    drivers,
    repository,
    git,
    readOnlyGit: readOnlyGit(env),
    makeWorktree: handlers.worktree,
  });
  return {
    checked: { reading, store, claims, beads, control, rules, ground: startGround, remains },
    sessionOwner: runSessionOwner({
      ...runRecords,
      signal: (...args) => control.signal(...args),
    }),
    forApi: {
      reading,
      starter,
      control,
      eventHub: new EventHub({
        store,
        watch: () => watchJournals(disk, runFolders(layout.home)),
        giveWay: () => new Promise((pass) => setImmediate(pass)),
        elapsedMs: () => performance.now(),
      }),
      diffs: runDiffs({ git: readOnlyGit(env), repository, verificationOf }),
      sessionOf,
      takesMessages: (engine) => {
        const all = openEngines(program.engines, env, settings.engines);
        return all.some(({ name, abilities }) => name === engine && abilities.send !== false);
      },
      changesSince: (pinned) => changesSince(pinned, { grimoires, settingsNow }),
      around: { findClearBeadId: (name) => findClearBeadId(wiring.beads, name), sleep },
    },
    forConnected: {
      store,
      results: handedIn,
      tokens: continueTokens({ folder: continueKeys(env), repository: layout.home, nowMs }),
      redact: (value) => redactValue(value, redactor.redact),
      sessionOf,
      missingEvidence: openMissingEvidence(ground, store),
      later: after,
      waitMs: connectedWaitMs,
    },
  };
}

function openHost({ disk, layout, locks }: Ground, drivers: HeldLocks, redactor: Redactor): EmbeddedHost {
  const storage = { disk, folders: runFolders(layout.home), locks, drivers };
  return new EmbeddedHost(storage, {
    nowMs,
    elapsedMs: () => performance.now(),
    newId,
    boot: bootName(),
    pid: process.pid,
    redact: (value) => redactValue(value, redactor.redact),
    endSurvivors: cleanUpAfter,
  });
}

function openClaims({ disk, layout, locks }: Ground, { records }: Pick<SessionParts, "records">): Claims {
  const boot = bootName();
  return claimFiles({
    disk,
    folder: paths.claims(layout),
    locks,
    self: () => thisProcess(boot),
    isAlive: isAliveIn(boot),
    refuseWork(bead, session) {
      if (isWorkOpen(records, session)) throw heldByWork(bead, session);
    },
  });
}

/** What a run that began now would be pinned to. */
async function readRunSettings({ repository, layout, env }: Ground): Promise<SettingsNow> {
  const { settings } = await readConfigAround(layout.root, repository, env);
  return {
    run: runSettings(settings, scriptFile(settings, env, layout.root)),
    worktree: settings.worktree,
    scriptFrom: scriptOrigin(env),
  };
}

import { beadMeant, beadNamed } from "../app/bead/names.ts";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { scriptFile } from "../adapters/engines/scripted/script-file.ts";
import { engineAgents } from "../adapters/engines/run-agent.ts";
import { transcriptFiles } from "../adapters/engines/transcript-files.ts";
import type { Disk } from "../adapters/files/disk.ts";
import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import { paths, runFolders, type Layout } from "../adapters/layout.ts";
import type { Locks } from "../adapters/files/lock.ts";
import { excludeOwnFiles } from "../adapters/git/exclude.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { runGround } from "../adapters/git/run-ground.ts";
import { mergeHandler, offerHandler } from "../adapters/git/steps/merge-handlers.ts";
import { unrecordedGit, readOnlyGit } from "../adapters/git/unrecorded-git.ts";
import { runRemains } from "../adapters/git/run-remains.ts";
import { withLandingLock, withWorktreesLock } from "../adapters/git/locks-of-git.ts";
import { refuseTempFolder } from "../adapters/shell/temp-folder.ts";
import { runDiffs } from "../adapters/git/steps/run-diffs.ts";
import { runWorktrees } from "../adapters/git/steps/run-worktrees.ts";
import { treeOf } from "../adapters/git/steps/tree-of.ts";
import { afterVerification, verifyHandler } from "../adapters/git/steps/verify-handler.ts";
import { worktreeHandler } from "../adapters/git/steps/worktree-handler.ts";
import { claimFiles } from "../adapters/journal-file/claim-files.ts";
import { EmbeddedHost } from "../adapters/journal-file/embedded-host.ts";
import type { ProcessLine } from "../adapters/journal-file/journal-index.ts";
import { openWork } from "../adapters/journal-file/open-work.ts";
import { placeOfPhase } from "../adapters/journal-file/event-place.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { systemCaller, type Driver } from "../adapters/shell/caller.ts";
import { markOf, type NewMark } from "../adapters/shell/marks.ts";
import { systemProcesses } from "../adapters/shell/processes.ts";
import { scriptHandler } from "../adapters/shell/script-handler.ts";
import { removeStepFolder } from "../adapters/shell/step-folder.ts";
import { endSurvivors } from "../adapters/shell/survivors.ts";
import { sleep, systemIds } from "../adapters/system/system.ts";
import type { BeadStore } from "../app/bead/ports.ts";
import type { Grimoires } from "../app/grimoire/grimoires.ts";
import type { SessionRecords } from "../app/session/ports.ts";
import type { CheckedGround } from "../app/doctor/ground-checks.ts";
import { RunSessionOwner } from "../app/run/session/owner.ts";
import { ProjectedRunSessions } from "../app/run/session/projected-sessions.ts";
import type { RefusedBeads } from "../app/scheduler/refused-beads.ts";
import type { CheckedRuns } from "../app/doctor/run-checks.ts";
import type { Caller, Claims } from "../app/run/ports.ts";
import { RunBeads } from "../app/run/bead-of-run.ts";
import { isOver, RunReading } from "../app/run/read.ts";
import { agentStep } from "../app/run/agent-step.ts";
import { runSettings } from "../app/run/settings.ts";
import { pinRun, surveyGround } from "../app/run/start.ts";
import { RunStarter } from "../app/run/starter.ts";
import type { RunsApiParts } from "../app/run/api.ts";
import { changesSince, type SettingsNow } from "../app/run/changes.ts";
import { ClaimedBeads } from "../app/run/claimed-beads.ts";
import { RunControl } from "../app/run/control.ts";
import type { Sessions } from "../app/session/lifecycle.ts";
import type { RedactValue } from "../contract/redacted.ts";
import type { Verification } from "../contract/run.ts";
import type { Settings } from "../contract/settings.ts";
import { redactValue } from "../redact/redact-value.ts";
import type { Redactor } from "../redact/redactor.ts";
import { openEngines } from "./engines.ts";
import { startRules } from "./wire-start-rules.ts";

interface RunParts {
  disk: Disk;
  layout: Layout;
  repository: Repository;
  settings: Settings;
  /** As they stand in the files now. */
  settingsNow: () => Promise<Settings>;
  locks: () => Promise<Locks>;
  redactor: Redactor;
  env: Record<string, string | undefined>;
  boot: string;
  grimoires: Grimoires;
  records: SessionRecords;
  sessions: Sessions;
  prepare: () => void;
  refuseLeftOut: () => void;
  warn: (message: string) => void;
  /** The folder of the engines that come with the program. */
  engines: string;
  beads: BeadStore;
  refused: Pick<RefusedBeads, "drop">;
}

export interface OpenedRuns extends CheckedRuns, CheckedGround {
  sessionOwner: RunSessionOwner;
  starter: RunStarter;
  /** What the operations on runs need. */
  forApi: RunsApiParts;
}

/** Puts together what runs grimoires: the host on files, the handlers of steps, the engines. */
export function openRuns(parts: RunParts): OpenedRuns {
  const { disk, layout, repository, settings, locks, redactor, env, boot, grimoires, prepare } = parts;
  const folders = runFolders(layout.home);
  const drivers = sqliteHeldLocks(paths.driverLocks(layout));
  const store = runStore({ disk, folders, drivers });
  const newId = (): string => systemIds.random(20);
  const newMark: NewMark = (work) => markOf(work, newId());
  const elapsedMs = (): number => performance.now();
  const tempFolder = resolve(tmpdir());
  const agents = engineAgents({
    engines: openEngines(parts.engines),
    redactor,
    transcripts: transcriptFiles(paths.transcriptsFolder(layout), disk, () => Date.now()),
    env,
    newId,
  });

  const stepGit = { redactor, env, newMark };
  const git = unrecordedGit(env);
  const withLock = withWorktreesLock(layout);

  const redact: RedactValue = (value) => redactValue(value, redactor.redact);

  const host = new EmbeddedHost({
    disk,
    folders,
    locks,
    drivers,
    nowMs: () => Date.now(),
    elapsedMs,
    newId,
    boot,
    pid: process.pid,
    redact,
    async endSurvivors(processes: ProcessLine[]) {
      await endSurvivors(processes);
      for (const { folder } of processes) if (folder !== undefined) removeStepFolder(folder);
    },
  });

  const runRecords = {
    records: parts.records,
    sessions: parts.sessions,
    store,
    placeOf: (id: string, n: number) => placeOfPhase(disk, store.path(id), n),
    redact: async () => redactor.redact,
    channel: parts.settings.channel,
    warn: parts.warn,
  };
  const runSessions = new ProjectedRunSessions({
    ...runRecords,
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
  });
  const claims = claimFiles({
    disk,
    folder: paths.claims(layout),
    locks,
    self: () => ({ pid: process.pid, started: systemProcesses().one(process.pid)?.started ?? "", boot }),
    isAlive: (claim) => claim.boot === boot && systemProcesses().one(claim.pid)?.started === claim.started,
  });
  const beads = new RunBeads({
    store: parts.beads,
    statusOfRun: (id) => store.state(id).status,
    holder: (bead) => claims.holder(bead),
    nowMs: () => Date.now(),
    warn: parts.warn,
  });
  const isRunOver = (id: string): boolean => !store.exists(id) || isOver(store.state(id));
  const makeWorktree = worktreeHandler({ ...stepGit, repository, withLock, isOver: isRunOver });
  const ground = runGround({ git, repository, isOver: isRunOver });
  const rules = startRules({ repository, beads: parts.beads, redactor, engines: parts.engines });
  const verificationOf = (runId: string): Verification | undefined => openWork(store, runId).verification;
  const worktrees = runWorktrees({
    repository,
    settings: settings.worktree,
    git,
    // Nobody waits long for what can be done later: clew worktree prune.
    withLock: withWorktreesLock(layout, 10_000),
    verificationOf,
  });
  const runGit = { ...stepGit, repository };
  const runScript = scriptHandler({
    redactor,
    env,
    tempFolder,
    newMark,
    treeOf: (task, context) => treeOf(runGit, { ...context, path: task.path }),
  });
  const caller = (): Caller => systemCaller(env, driversIn(claims));
  const nowMs = (): number => Date.now();
  const settingsNow = async (): Promise<SettingsNow> => {
    const now = await parts.settingsNow();
    const scriptFrom = env["CLEW_SCRIPT"] ? "CLEW_SCRIPT" : "engines.scripted.script";
    return { run: runSettings(now, scriptFile(now, env, layout.root)), worktree: now.worktree, scriptFrom };
  };
  const diffs = runDiffs({ git: readOnlyGit(env), repository, verificationOf });
  const reading = new RunReading({ store, worktrees, beadNamed: (name) => beadNamed(parts.beads, name), nowMs, sleep });
  const claimed = new ClaimedBeads({ store, claims, beads, reading });
  const starter = new RunStarter({
    host,
    store,
    claims,
    claimed,
    beads,
    sessions: runSessions,
    worktrees,
    ground: {
      survey: (request) => surveyGround(request, { ground, rules }),
      pin: (id, request, survey) =>
        pinRun(id, request, survey, {
          define: (asked) => grimoires.forRun(asked),
          settings: settingsNow,
          worktrees,
          rules,
        }),
      refuseLeftOut: parts.refuseLeftOut,
      prepare,
      onBegun: (bead) => parts.refused.drop(bead),
      toAscii: async () => (await import("any-ascii")).default,
      nowMs,
      caller,
    },
  });
  const control = new RunControl({
    host,
    store,
    reading,
    claims,
    beads,
    sessions: runSessions,
    worktrees,
    ground: {
      handlers: {
        worktree: makeWorktree,
        offer: offerHandler(runGit),
        merge: mergeHandler({ ...stepGit, repository, withLock: withLandingLock(layout) }),
        verify: verifyHandler({ ...runGit, runScript }),
        script: afterVerification(runGit, runScript),
        agent: afterVerification(
          runGit,
          agentStep({ agents, newMark, monotonicMs: elapsedMs, sessionOf: (runId) => runSessions.idOf(runId) }),
        ),
      },
      hideOwnFiles: () => excludeOwnFiles(disk, repository.commonDir),
      refuseUnfit: () => refuseTempFolder(tempFolder, layout.root),
      caller,
      redact: redactor.redact,
      nowMs,
      sleep,
    },
  });
  const remains = runRemains({ store, drivers, repository, git, readOnlyGit: readOnlyGit(env), makeWorktree });
  const sessionOwner = new RunSessionOwner({
    ...runRecords,
    signal: (runId, signal) => control.signal(runId, signal, { command: "clew inbox answer" }),
  });
  const forApi: RunsApiParts = {
    store,
    reading,
    starter,
    control,
    diffs,
    sessionOf: (runId) => runSessions.idOf(runId),
    changesSince: (pinned) => changesSince(pinned, { grimoires, settingsNow }),
    around: { beadMeant: (name) => beadMeant(parts.beads, name), sleep },
  };
  const looked = { store, claims, beads, remains, ground, rules };
  return { reading, starter, control, claimed, sessionOwner, forApi, ...looked };
}

function driversIn(claims: Claims): Driver[] {
  return claims.all().flatMap(({ run, driver }) => (run === null ? [] : [{ run, ...driver }]));
}

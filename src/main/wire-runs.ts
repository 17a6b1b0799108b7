import { ClewError } from "../contract/errors.ts";
import { resolveBead } from "../app/bead-names.ts";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { agentHandler } from "../adapters/engines/agent-handler.ts";
import { transcriptFiles } from "../adapters/engines/transcript-files.ts";
import type { Disk } from "../adapters/files/disk.ts";
import { sqliteHeldLocks } from "../adapters/files/held-lock.ts";
import { paths, type Layout } from "../adapters/files/layout.ts";
import type { Locks } from "../adapters/files/lock.ts";
import type { Repository } from "../adapters/git/repository.ts";
import { runGround } from "../adapters/git/run-ground.ts";
import { mergeHandler, offerHandler } from "../adapters/git/steps/merge-handlers.ts";
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
import { runFolders } from "../adapters/journal-file/run-paths.ts";
import { runStore } from "../adapters/journal-file/run-store.ts";
import { systemCaller, type Driver } from "../adapters/shell/caller.ts";
import { markOf, type NewMark } from "../adapters/shell/marks.ts";
import { systemProcesses } from "../adapters/shell/processes.ts";
import { scriptHandler } from "../adapters/shell/script-handler.ts";
import { removeStepFolder } from "../adapters/shell/step-folder.ts";
import { endSurvivors } from "../adapters/shell/survivors.ts";
import { systemIds } from "../adapters/system/system.ts";
import type { BeadStore } from "../app/bead-port.ts";
import type { Grimoires } from "../app/grimoires.ts";
import type { SessionRecords } from "../app/ports.ts";
import type { CheckedGround } from "../app/ground-checks.ts";
import { ProjectedRunSessions } from "../app/projected-run-sessions.ts";
import type { RefusedBeads } from "../app/refused-beads.ts";
import type { CheckedRuns } from "../app/run-checks.ts";
import type { Claims } from "../app/run-ports.ts";
import { RunBeads } from "../app/run-beads.ts";
import { isOver } from "../app/run-reading.ts";
import { pinRun, surveyGround } from "../app/run-start.ts";
import { Runs } from "../app/runs.ts";
import type { Sessions } from "../app/sessions.ts";
import type { Verification } from "../contract/run.ts";
import type { Settings } from "../contract/settings.ts";
import { redactJson } from "../redact/redact-json.ts";
import type { Redactor } from "../redact/redactor.ts";
import { openEngines } from "./engines.ts";
import { runSettings } from "./run-settings.ts";
import { runRemains } from "./wire-remains.ts";
import { refuseTempFolder, startRules } from "./wire-start-rules.ts";
import { landingsExclusively, lookingGit, unheardGit, worktreesExclusively } from "./wire-worktrees.ts";

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
  runSessions: ProjectedRunSessions;
}

/** Puts together what runs grimoires: the host on files, the handlers of steps, the engines. */
export function openRuns(parts: RunParts): OpenedRuns {
  const { disk, layout, repository, settings, locks, redactor, env, boot, grimoires, prepare } = parts;
  const folders = runFolders(layout.home);
  const drivers = sqliteHeldLocks(join(paths.locks(layout), "runs"));
  const store = runStore({ disk, folders, drivers });
  const engines = openEngines(parts.engines);
  const newWord = (): string => systemIds.random(20);
  const newMark: NewMark = (work) => markOf(work, newWord());
  const elapsedMs = (): number => performance.now();
  const tempFolder = resolve(tmpdir());

  const taskGit = { redactor, env, newMark };
  const git = unheardGit(env);
  const exclusively = worktreesExclusively(layout);

  const redact = <T>(value: T): T => redactJson(value, redactor.redact);

  const host = new EmbeddedHost({
    disk,
    folders,
    locks,
    drivers,
    nowMs: () => Date.now(),
    elapsedMs,
    newId: newWord,
    boot,
    pid: process.pid,
    redact,
    async endSurvivors(processes: ProcessLine[]) {
      await endSurvivors(processes);
      for (const { folder } of processes) if (folder !== undefined) removeStepFolder(folder);
    },
  });

  const runSessions = new ProjectedRunSessions({
    records: parts.records,
    sessions: parts.sessions,
    store,
    placeOf: (id, n) => placeOfPhase(disk, store.path(id), n),
    redact: async () => (text) => redactor.redact(text),
    channel: parts.settings.channel,
    later: (ms, work) => {
      const timer = setTimeout(work, ms);
      return () => clearTimeout(timer);
    },
    warn: parts.warn,
  });
  const claims = claimFiles({
    disk,
    folder: join(layout.home, "claims"),
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
  const makeWorktree = worktreeHandler({ ...taskGit, repository, exclusively, isOver: isRunOver });
  const ground = runGround({ git, repository, isOver: isRunOver });
  const rules = startRules({ repository, beads: parts.beads, redactor, engines: parts.engines });
  const verificationOf = (runId: string): Verification | undefined => openWork(store, runId).verification;
  const worktrees = runWorktrees({
    repository,
    settings: settings.worktree,
    git,
    // Nobody waits long for what can be done later: clew worktree prune.
    exclusively: worktreesExclusively(layout, 10_000),
    verificationOf,
  });
  const runGit = { ...taskGit, repository };
  const runScript = scriptHandler({
    redactor,
    env,
    tempFolder,
    newMark,
    treeOf: (task, context) => treeOf(runGit, { ...context, path: task.path }),
  });
  const runs = new Runs({
    host,
    store,
    claims,
    beads,
    worktrees,
    diffs: runDiffs({ git: lookingGit(env), repository, verificationOf }),
    handlers: {
      worktree: makeWorktree,
      offer: offerHandler(runGit),
      merge: mergeHandler({ ...taskGit, repository, inTurn: landingsExclusively(layout) }),
      verify: verifyHandler({ ...runGit, runScript }),
      script: afterVerification(runGit, runScript),
      agent: afterVerification(
        runGit,
        agentHandler({
          engines,
          redactor,
          transcripts: transcriptFiles(join(layout.home, "transcripts"), disk, () => Date.now()),
          env,
          newMark,
          monotonicMs: elapsedMs,
          sessionOf: (runId) => runSessions.idOf(runId),
        }),
      ),
    },
    survey: (request) => surveyGround(request, { ground, rules }),
    pin: (id, request, survey) =>
      pinRun(id, request, survey, {
        define: (asked) => grimoires.forRun(asked),
        settings: async () => {
          const now = await parts.settingsNow();
          return { run: runSettings(now, env, layout.root), worktree: now.worktree };
        },
        worktrees,
        rules,
      }),
    onBegun: (bead) => parts.refused.drop(bead),
    sessions: runSessions,
    beadNamed(name) {
      try {
        return resolveBead(parts.beads, name);
      } catch (error) {
        if (error instanceof ClewError) return undefined;
        throw error;
      }
    },
    toAscii: async () => (await import("any-ascii")).default,
    nowMs: () => Date.now(),
    prepare,
    refuseLeftOut: parts.refuseLeftOut,
    caller: () => systemCaller(env, driversIn(claims)),
    refuseUnfit: () => refuseTempFolder(tempFolder, layout.root),
    redact: redactor.redact,
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
  });
  const remains = runRemains({ store, drivers, repository, git, looking: lookingGit(env), makeWorktree });
  return { runs, runSessions, store, claims, beads, remains, ground, rules };
}

function driversIn(claims: Claims): Driver[] {
  return claims.all().flatMap(({ run, driver }) => (run === null ? [] : [{ run, ...driver }]));
}

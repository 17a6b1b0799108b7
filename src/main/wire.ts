import { realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { readConfig, type Config } from "../adapters/files/config.ts";
import { boundedDisk } from "../adapters/files/bounded-disk.ts";
import { boundsOf, refuseLinkOut } from "../adapters/files/bounds.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { paths, type Layout } from "../adapters/files/layout.ts";
import { sessionRecords } from "../adapters/files/session-records.ts";
import { makeWorkspace, workspaceFiles } from "../adapters/files/workspace.ts";
import { committedIn } from "../adapters/git/committed.ts";
import { excludeOwnFiles } from "../adapters/git/exclude.ts";
import { gitAt } from "../adapters/git/git.ts";
import { refuseLeftOut } from "../adapters/git/left-out.ts";
import { findRepository } from "../adapters/git/repository.ts";
import { recordRoot } from "../adapters/git/root.ts";
import { gitSurroundings } from "../adapters/git/surroundings.ts";
import { runFolders, runPaths } from "../adapters/journal-file/run-paths.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { ToonSessionIndex } from "../adapters/index-toon/toon-session-index.ts";
import { bootName, systemClock, systemIds } from "../adapters/system/system.ts";
import type { App } from "../app/app.ts";
import type { Beads } from "../app/beads.ts";
import { SessionFinder } from "../app/find-session.ts";
import { Lists } from "../app/lists.ts";
import type { Redact } from "../app/ports.ts";
import { Projections } from "../app/projections.ts";
import { refuseAnyStep } from "../app/run-authority.ts";
import { possibleRuns, runOfSession } from "../app/run-sessions.ts";
import { SearchProjection, type Progress } from "../app/search-projection.ts";
import type { SearchIndex } from "../app/search-port.ts";
import { Sessions } from "../app/sessions.ts";
import { Show } from "../app/show.ts";
import type { Worktrees } from "../app/worktrees.ts";
import type { RefusedItem } from "../contract/session-row.ts";
import type { Program } from "./program.ts";
import { userFolder } from "./user-folder.ts";

export interface Surrounding {
  cwd: string;
  env: Record<string, string | undefined>;
  program: Program;
  progress: Progress;
  /** Tells the person what need not stop the command. */
  warn: (message: string) => void;
}

/** The only place that names adapters: puts the parts together for the repository around `cwd`. */
export async function openApp({ cwd, env, program, progress, warn }: Surrounding): Promise<App> {
  const repository = findRepository(cwd);
  const home = join(repository.commonDir, "clew");
  const readSettings = (): Promise<Config> =>
    readConfig(nodeDisk, repository.root, userFolder(env), repository.commonDir);
  const { settings, origins } = await readSettings();
  const layout: Layout = { root: repository.root, sessions: join(repository.root, settings.sessions_dir), home };
  const linkable = [join(layout.root, ".clew"), layout.sessions, home];
  const bounds = boundsOf(layout.root, repository.commonDir, linkable, settings.allow_linked_clew);
  const disk = boundedDisk(nodeDisk, bounds);
  // What is opened by others than the disk.
  for (const folder of [paths.locks(layout), paths.index(layout), paths.search(layout)]) refuseLinkOut(bounds, folder);
  const git = gitAt(repository.root);
  const refuseLeftOutFiles = (): void => refuseLeftOut(git, layout.root, workspaceFiles);
  const prepare = (): string[] => {
    refuseLeftOutFiles();
    recordRoot(disk, repository);
    excludeOwnFiles(disk, repository.commonDir);
    return makeWorkspace(disk, layout);
  };

  const locks = once(async () => (await import("../adapters/files/lock.ts")).sqliteLocks(paths.locks(layout)));
  const searchIndex = once(
    async (): Promise<SearchIndex> =>
      new (await import("../adapters/search/sqlite-search.ts")).SqliteSearch(paths.search(layout)),
  );
  const redactor = once(async () => (await import("../redact/redactor.ts")).createRedactor({ env }));
  const redact = async (): Promise<Redact> => {
    const made = await redactor();
    return (text) => made.redact(text);
  };

  const committed = committedIn(disk, layout, repository, git);
  const records = sessionRecords({
    disk,
    layout,
    locks,
    clock: systemClock,
    readBlob: (blob) => git.readBlob(blob),
    boot: bootName(),
    isElsewhere: (id) => committed.isElsewhere(id),
    redact,
  });
  const surroundings = gitSurroundings({ disk, layout, repository, git, clock: systemClock, records, committed });
  const projections = new Projections({
    records,
    index: new ToonSessionIndex(paths.index(layout)),
    search: new SearchProjection({ records, search: searchIndex, redact, progress }),
    surroundings,
    exclusively: async (work) => (await locks()).with("index", work),
    redact,
    progress,
  });
  const sessions: Sessions = new Sessions({
    records,
    projections,
    surroundings,
    clock: systemClock,
    redact,
    toAscii: async () => (await import("any-ascii")).default,
    save: settings.save,
    channel: settings.channel,
    idleTimeoutMs: settings.idle_timeout,
    prepare: () => void prepare(),
    openRunOf: async (id) => (possibleRuns(id).some(isRun) ? (await runs()).runSessions.openRunOf(id) : undefined),
    foldRun: async (id) => (possibleRuns(id).some(isRun) ? (await runs()).runSessions.fold(id) : "none"),
  });
  const hasRuns = (): boolean => disk.stamp(runFolders(home).journals) !== undefined;
  const isRun = (id: string): boolean => disk.stamp(runPaths.journal(runFolders(home), id)) !== undefined;
  const show = new Show(records, projections);
  const log = once(async () => {
    const { Log } = await import("../app/log.ts");
    return new Log({
      sessions,
      records,
      redact: await redact(),
      ids: systemIds,
      subagentMode: settings.subagent_mode,
      refuseAnswer: () => refuseAnyStep(systemCaller(env)),
    });
  });

  const beads = once(async () =>
    (await import("./wire-beads.ts")).openBeads({ disk, git, repository, settings, locks, redact, env }),
  );
  const refused = once(async () =>
    (await import("../adapters/journal-file/refused-files.ts")).refusedFiles({
      disk,
      folder: join(home, "refused"),
      redact,
      nowMs: () => systemClock.now(),
    }),
  );
  /** Read only where there is anything, so that the others need not load what reads it. */
  const refusedInInbox = async (): Promise<RefusedItem[]> => {
    if (disk.list(join(home, "refused")).length === 0) return [];
    const { refusedItems } = await import("../app/refused-beads.ts");
    const { store } = await beads();
    return refusedItems((await refused()).all(), (id) => store.find(id));
  };
  const runs = once(async () => {
    const { openRuns } = await import("./wire-runs.ts");
    const { openDefinitions } = await import("./wire-definitions.ts");
    if (hasRuns()) excludeOwnFiles(disk, repository.commonDir);
    const { store } = await beads();
    return openRuns({
      disk,
      layout,
      repository,
      settings,
      settingsNow: async () => (await readSettings()).settings,
      locks,
      redactor: await redactor(),
      env,
      boot: bootName(),
      grimoires: openDefinitions({ cwd, env, ...program, beads: store }).grimoires,
      records,
      sessions,
      warn,
      prepare: () => void prepare(),
      refuseLeftOut: refuseLeftOutFiles,
      engines: program.engines,
      beads: store,
      refused: await refused(),
    });
  });

  const openWorktrees = async (): Promise<Worktrees> => {
    if (hasRuns()) excludeOwnFiles(disk, repository.commonDir);
    return (await import("./wire-worktrees.ts")).openWorktrees({ disk, layout, repository, env });
  };

  return {
    root: layout.root,
    settings,
    origins,
    sessions,
    show,
    projections,
    finder: new SessionFinder(records, projections, layout.sessions, (path) => realPath(resolve(cwd, path)), isRun),
    lists: new Lists(sessions, projections, records, show),
    log,
    search: async () => new (await import("../app/search.ts")).Search(records, projections, sessions),
    inbox: async () =>
      new (await import("../app/inbox.ts")).Inbox(
        sessions,
        projections,
        await log(),
        {
          waitOf: async (item) =>
            possibleRuns(item.session_id).some(isRun) ? (await runs()).runSessions.waitOf(item) : undefined,
          signal: async (runId, signal) => (await runs()).runs.signal(runId, signal, { command: "clew inbox answer" }),
          pendingSignal: async (runId) => (await runs()).store.pendingSignals(runId).at(-1)?.signal.kind,
          stopped: async () => (hasRuns() ? (await runs()).runSessions.stopped() : []),
          waits: async (known) => (hasRuns() ? (await runs()).runSessions.waits(known) : []),
        },
        {
          runOf: (id) => runOfSession({ records, isRun }, id),
          refused: refusedInInbox,
        },
      ),
    status: async () => {
      const { openStatus } = await import("./wire-status.ts");
      const beadStore = async (): Promise<Beads> => (await beads()).beads;
      return openStatus({
        disk,
        layout,
        records,
        sessions,
        projections,
        runs,
        beads: beadStore,
        refusedInInbox,
        isRun,
      });
    },
    doctor: async () => {
      const { Doctor, projectionChecks } = await import("../app/doctor.ts");
      const { systemChecks } = await import("../adapters/system/checks.ts");
      const { groundChecks } = await import("../app/ground-checks.ts");
      const { runChecks } = await import("../app/run-checks.ts");
      return new Doctor([
        ...systemChecks({ disk, layout, git, locks }),
        ...projectionChecks(sessions, projections),
        ...groundChecks(runs),
        ...runChecks(runs, openWorktrees),
      ]);
    },
    runs: async () => (await runs()).runs,
    worktrees: openWorktrees,
    beads: async () => (await beads()).beads,
    scheduler: async () => {
      const { openScheduler } = await import("./wire-scheduler.ts");
      const { startSurroundings } = await import("./start-surroundings.ts");
      const opened = await runs();
      return openScheduler({
        disk,
        layout,
        settings,
        runs: opened,
        beads: (await beads()).beads,
        refused: await refused(),
        surroundings: startSurroundings({ disk, repository, env, rules: opened.rules }),
      });
    },
    async runAgainst(beadId, status) {
      const { runAgainst } = await import("./bead-runs.ts");
      const asked = { disk, claims: join(home, "claims"), beads: (await beads()).store, hasRuns };
      return runAgainst({ ...asked, runs: async () => (await runs()).runs }, beadId, status);
    },
    isSetUp: () => [join(layout.root, ".clew"), home].some((folder) => disk.stamp(folder) !== undefined),
    async latestRunOf(beadId) {
      if (!hasRuns()) return undefined;
      return (await runs()).runs.list({ all: true }).runs.find(({ bead_id }) => bead_id === beadId);
    },
    init: prepare,
    pathOf: (id) => records.path(id),
    async close() {
      if (runs.made)
        await runs().then(
          (each) => each.runs.tidied(),
          () => undefined,
        );
      // What could not be opened need not be closed; whoever asked for it was told.
      if (searchIndex.made)
        await searchIndex().then(
          (each) => each.close(),
          () => undefined,
        );
      if (locks.made)
        await locks().then(
          (each) => each.close(),
          () => undefined,
        );
    },
  };
}

/** Also for what is not there (any more). */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

interface Once<T> {
  (): Promise<T>;
  made: boolean;
}

function once<T>(make: () => Promise<T>): Once<T> {
  let value: Promise<T> | undefined;
  const get: Once<T> = Object.assign(
    () => {
      get.made = true;
      return (value ??= make());
    },
    { made: false },
  );
  return get;
}

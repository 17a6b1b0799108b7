import { join } from "node:path";
import { readConfig, type Config } from "../adapters/files/config.ts";
import { boundedDisk } from "../adapters/files/bounded-disk.ts";
import { boundsOf, refuseLinkOut } from "../adapters/files/bounds.ts";
import { nodeDisk } from "../adapters/files/node-disk.ts";
import { realPath } from "../adapters/files/real-path.ts";
import { rootPaths, homeIn, paths, runFolders, runPaths, userSettings, type Layout } from "../adapters/layout.ts";
import { sessionRecords } from "../adapters/files/session-records.ts";
import { makeWorkspace, renewIgnoreRules, workspaceFiles } from "../adapters/files/workspace.ts";
import { committedSessions } from "../adapters/git/committed.ts";
import { excludeOwnFiles } from "../adapters/git/exclude.ts";
import { gitAt } from "../adapters/git/git.ts";
import { refuseSparsePaths } from "../adapters/git/sparse-checkout.ts";
import { findRepository } from "../adapters/git/repository.ts";
import { recordRoot } from "../adapters/git/root.ts";
import { gitSurroundings } from "../adapters/git/surroundings.ts";
import { claimPaths } from "../adapters/journal-file/bead-file-name.ts";
import { systemCaller } from "../adapters/shell/caller.ts";
import { ToonSessionIndex } from "../adapters/index-toon/toon-session-index.ts";
import { bootName, sleep, systemClock, systemIds } from "../adapters/system/system.ts";
import type { App } from "./app.ts";
import { SessionFinder } from "../app/session/find.ts";
import { Lists } from "../app/session/list.ts";
import { OpenSessions } from "../app/session/open-sessions.ts";
import { SessionOwners } from "../app/session/owner.ts";
import type { Redact } from "../contract/redacted.ts";
import { Projections } from "../app/session/projections.ts";
import { refuseAnyStep } from "../app/run/authority.ts";
import { SearchProjection, type Progress } from "../app/search/projection.ts";
import type { SearchIndex } from "../app/search/ports.ts";
import { Sessions } from "../app/session/lifecycle.ts";
import { Show } from "../app/session/show.ts";
import type { Worktrees } from "../app/worktree/worktrees.ts";
import type { RefusedItem } from "../contract/api/inbox.ts";
import { once } from "./once.ts";
import type { Program } from "./program.ts";

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
  const home = homeIn(repository.commonDir);
  const readSettings = (): Promise<Config> =>
    readConfig(nodeDisk, repository.root, userSettings(env), repository.commonDir);
  const { settings, origins } = await readSettings();
  const layout: Layout = { root: repository.root, sessions: join(repository.root, settings.sessions_dir), home };
  const linkable = [rootPaths.clew(layout.root), layout.sessions, home];
  const bounds = boundsOf(layout.root, repository.commonDir, linkable, settings.allow_linked_clew);
  const disk = boundedDisk(nodeDisk, bounds);
  // What is opened by others than the disk.
  for (const folder of [paths.locks(layout), paths.index(layout), paths.search(layout)]) refuseLinkOut(bounds, folder);
  const git = gitAt(repository.root);
  const refuseLeftOutFiles = (): void => refuseSparsePaths(git, layout.root, workspaceFiles);
  const prepare = (): string[] => {
    refuseLeftOutFiles();
    recordRoot(disk, repository);
    excludeOwnFiles(disk, repository.commonDir);
    return makeWorkspace(disk, layout);
  };

  const locks = once(async () => (await import("../adapters/files/lock.ts")).sqliteLocks(paths.locks(layout)));
  const openSearch = async (folder: string | undefined): Promise<SearchIndex> =>
    new (await import("../adapters/search/sqlite-search.ts")).SqliteSearch(folder);
  const searchIndex = once(() => openSearch(paths.search(layout)));
  const searchInMemory = once(() => openSearch(undefined));
  const redactor = once(async () => (await import("../redact/redactor.ts")).createRedactor({ env }));
  const redact = async (): Promise<Redact> => {
    const made = await redactor();
    return (text) => made.redact(text);
  };

  const committed = committedSessions(disk, layout, repository, git);
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
    search: new SearchProjection({
      records,
      search: (place) => (place === "on disk" ? searchIndex() : searchInMemory()),
      redact,
      progress,
    }),
    surroundings,
    withLock: async (work) => (await locks()).with("index", work),
    redact,
    progress,
    warn,
  });
  const hasRuns = (): boolean => disk.stamp(runFolders(home).journals) !== undefined;
  const isRun = (id: string): boolean => disk.stamp(runPaths.journal(runFolders(home), id)) !== undefined;
  const owners: SessionOwners = new SessionOwners({
    run: { names: isRun, hasAny: hasRuns, load: async () => (await runs()).sessionOwner },
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
    prepare: () => void prepare(),
    owners,
  });
  const openSessions = new OpenSessions({
    records,
    projections,
    sessions,
    owners,
    clock: systemClock,
    idleTimeoutMs: settings.idle_timeout,
  });
  const show = new Show(records, projections);
  const log = once(async () => {
    const { Log } = await import("../app/session/log.ts");
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
      folder: paths.refused(layout),
      redact,
      nowMs: () => systemClock.now(),
    }),
  );
  /** Read only where there is anything, so that the others need not load what reads it. */
  const refusedBeads = async (): Promise<RefusedItem[]> => {
    if (disk.list(paths.refused(layout)).length === 0) return [];
    const { refusedItems } = await import("../app/scheduler/refused-beads.ts");
    const { store } = await beads();
    return refusedItems((await refused()).all(), (id) => store.find(id));
  };
  const runs = once(async () => {
    const { openRuns } = await import("./wire-runs.ts");
    const { openDefinitions } = await import("./wire-definitions.ts");
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

  const openWorktrees = async (): Promise<Worktrees> =>
    (await import("./wire-worktrees.ts")).openWorktrees({ disk, layout, repository, env });

  return {
    root: layout.root,
    settings,
    origins,
    sessions,
    openSessions,
    show,
    projections,
    finder: new SessionFinder(records, projections, layout.sessions, realPath, owners),
    lists: new Lists(openSessions, projections, records, show),
    owners,
    log,
    search: async () => new (await import("../app/search/find.ts")).Search(records, projections, openSessions),
    refusedBeads,
    status: async () => {
      const { openStatus } = await import("./wire-status.ts");
      return openStatus({
        disk,
        layout,
        records,
        openSessions,
        projections,
        runs,
        beads: async () => (await beads()).beads,
        refusedBeads,
        isRun,
      });
    },
    doctor: async () => {
      const { Doctor, projectionChecks } = await import("../app/doctor/examine.ts");
      const { systemChecks } = await import("../adapters/system/checks.ts");
      const { groundChecks } = await import("../app/doctor/ground-checks.ts");
      const { runChecks } = await import("../app/doctor/run-checks.ts");
      return new Doctor([
        ...systemChecks({ disk, layout, git, locks, commonDir: repository.commonDir }),
        ...projectionChecks(sessions, openSessions, projections),
        ...groundChecks(runs),
        ...runChecks(runs, openWorktrees),
      ]);
    },
    runs: async () => (await runs()).forApi,
    worktrees: openWorktrees,
    beads: async () => (await beads()).beads,
    async beadParts() {
      const isRead = beads.made;
      return {
        ...(await beads()),
        isRead,
        runs: {
          hasRuns,
          isClaimed: (bead) => claimPaths(paths.claims(layout), bead).some((file) => disk.stamp(file!) !== undefined),
          unfinishedRunOf: async (bead) => (await runs()).claimed.unfinishedRunOf(bead),
        },
        latestRunOf: async (bead) =>
          hasRuns()
            ? (await runs()).reading.list({ all: true }).runs.find(({ bead_id }) => bead_id === bead)
            : undefined,
      };
    },
    scheduler: async () => {
      const { openScheduler } = await import("./wire-scheduler.ts");
      const { startSurroundings } = await import("../adapters/git/start-surroundings.ts");
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
    isSetUp: () => [rootPaths.clew(layout.root), home].some((folder) => disk.stamp(folder) !== undefined),
    async init() {
      const made = prepare();
      return { made, renewed: (await renewIgnoreRules(disk, layout)) ? [".clew/.gitignore"] : [] };
    },
    pathOf: (id) => records.path(id),
    clock: systemClock,
    sleep,
    async close() {
      if (runs.made)
        await runs().then(
          (each) => each.control.worktreesPutAway(),
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

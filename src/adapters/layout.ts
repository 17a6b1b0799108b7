import { basename, dirname, join, relative } from "node:path";
import { ClewError } from "../contract/errors.ts";
import { runIdPattern } from "../contract/run.ts";
import { questionIdPattern, sessionIdPattern } from "../contract/session-values.ts";

// Where everything stands, and what its files are called. Git's own files are git's, and `bd`'s are `bd`'s.

type Env = Record<string, string | undefined>;

/** Where a repository keeps what is Clew's. */
export interface Layout {
  /** The main checkout. */
  root: string;
  sessions: string;
  /** `<git-common-dir>/clew`, safe from `git clean -fdx`. */
  home: string;
}

export function homeIn(commonDir: string): string {
  return join(commonDir, "clew");
}

/** `sessionsDir` is the setting: a folder below the root. */
export function layoutOf({ root, commonDir }: { root: string; commonDir: string }, sessionsDir: string): Layout {
  return { root, sessions: join(root, sessionsDir), home: homeIn(commonDir) };
}

export const paths = {
  session: (layout: Layout, id: string) => join(layout.sessions, id),
  record: (layout: Layout, id: string) => join(layout.sessions, id, "session.md"),
  breadcrumbs: (layout: Layout, id: string) => join(layout.sessions, id, "breadcrumbs"),
  live: (layout: Layout, id: string) => join(layout.home, "live", `${id}.jsonl`),
  /** What the last writer left: stamps, counters, what the body ends in. May be lost; never the truth. */
  state: (layout: Layout, id: string) => join(layout.home, "live", `${id}.state`),
  /** Marks a session that is active or has entries not yet folded into frontmatter and index. */
  open: (layout: Layout, id: string) => join(layout.home, "open", id),
  openFolder: (layout: Layout) => join(layout.home, "open"),
  liveFolder: (layout: Layout) => join(layout.home, "live"),
  transcripts: (layout: Layout, id: string) => join(layout.home, "transcripts", id),
  transcriptsFolder: (layout: Layout) => join(layout.home, "transcripts"),
  /** A text that is too long for session.md, named by its hash. */
  longText: (layout: Layout, id: string, sha256: string) => join(layout.home, "transcripts", id, `${sha256}.txt`),
  results: (layout: Layout, id: string) => join(layout.home, "transcripts", id, "results.jsonl"),
  index: (layout: Layout) => join(layout.home, "index"),
  search: (layout: Layout) => join(layout.home, "search"),
  /** What the index was last compared with: the sessions folder's time, and HEAD. */
  seen: (layout: Layout) => join(layout.home, "state", "sessions-seen.json"),
  stateFolder: (layout: Layout) => join(layout.home, "state"),
  /** What imports found out about transcripts, and which messages they counted. Both may be lost. */
  imports: (layout: Layout) => join(layout.home, "state", "imports.json"),
  countedMessages: (layout: Layout) => join(layout.home, "state", "imported-messages"),
  /** Engine sessions whose sessions were deleted. */
  deletedEngineSessions: (layout: Layout) => join(layout.home, "deleted-engine-sessions"),
  /** How the daemon registered itself. */
  daemon: (layout: Pick<Layout, "home">) => join(layout.home, "state", "daemon.json"),
  daemonLog: (layout: Pick<Layout, "home">) => join(layout.home, "logs", "daemon.log"),
  /** Answers to requests that may be repeated. */
  daemonAnswers: (layout: Layout) => join(layout.home, "state", "daemon-answers"),
  /** Hashes of the tokens for programs that call the daemon. */
  tokens: (layout: Pick<Layout, "home">) => join(layout.home, "tokens"),
  locks: (layout: Pick<Layout, "home">) => join(layout.home, "locks"),
  /** One lock for each run: who drives it. */
  driverLocks: (layout: Layout) => join(layout.home, "locks", "runs"),
  /** One lock for each work session: who drives it. */
  workLocks: (layout: Pick<Layout, "home">) => join(layout.home, "locks", "work"),
  /** What is known of work sessions beside their records. */
  workStates: (layout: Pick<Layout, "home">) => join(layout.home, "state", "ai-sync"),
  /** Which beads runs and work sessions work on. */
  claims: (layout: Pick<Layout, "home">) => join(layout.home, "claims"),
  /** What agents of talks ask a person. */
  questions: (layout: Layout) => join(layout.home, "questions"),
  /** Beads that could not be started. */
  refused: (layout: Layout) => join(layout.home, "refused"),
  /** Where the root is, when git's files do not tell. */
  root: (home: string) => join(home, "root"),
  /** What stood in half-written files of a landing that was mended. */
  mended: (home: string, commit: string) => join(home, "mended", commit.slice(0, 12)),
  /** One of them. The hash is that of its path, whose name is only for people. */
  mendedFile: (folder: string, hash: string, name: string) =>
    join(folder, `${hash}-${name.replace(/[^\w.-]+/g, "-").slice(-80)}`),
} as const;

/** The session whose copy has this name in `live/`; undefined for any other file. */
export function idOfCopy(name: string): string | undefined {
  return withoutSuffix(name, ".jsonl");
}

/** A lock of this name, in a folder of locks. */
export function lockPath(folder: string, name: string): string {
  return join(folder, `${name}.lock`);
}

/** The folders in which files are replaced, but for those of sessions. */
export function foldersOfReplaced(layout: Layout): string[] {
  const { signals, snapshots } = runFolders(layout.home);
  const { claims, liveFolder, refused, stateFolder, tokens, workStates } = paths;
  return [
    claims(layout),
    liveFolder(layout),
    refused(layout),
    signals,
    stateFolder(layout),
    snapshots,
    tokens(layout),
    workStates(layout),
  ];
}

/** A file that is to take another's place stands beside it until it is whole. */
export const replacement = {
  path: (path: string, pid: number) => join(dirname(path), `.${basename(path)}.${pid}.new`),
  /** The file that it was to replace, and the process that wrote it; undefined for any other name. */
  read(name: string): { name: string; pid: number } | undefined {
    const [, original, pid] = /^\.(.+)\.(\d{1,10})\.new$/.exec(name) ?? [];
    return original === undefined ? undefined : { name: original, pid: Number(pid) };
  },
  /** Matches them in git's ignore files. */
  ignoreRule: ".*.[0-9]*.new",
} as const;

/** What stands in the folder of the sessions' index. */
export const indexPaths = {
  manifest: (folder: string) => join(folder, "manifest.toon"),
  shards: (folder: string) => join(folder, "shards"),
  /** The first id shows a person what is in the file, and distinguishes shards with equal checksums. */
  shardName: (first: string, check: string) => `${first.replace(/[^a-z0-9-]/g, "_").slice(0, 100)}.${check}.toon`,
  /** Where a file of the index is written before it is renamed. */
  aside: (path: string) => `${path}.new`,
} as const;

/** What stands in the folder of the search: for each part of it, the databases that were made one after the other. */
export const searchPaths = {
  database: (folder: string, part: number, number: number) =>
    join(folder, `search${part === 0 ? "" : `-${part}`}.${number}.db`),
  /** The database, and what SQLite keeps beside it. */
  files: (folder: string, part: number, number: number) =>
    ["", "-wal", "-shm"].map((suffix) => `${searchPaths.database(folder, part, number)}${suffix}`),
  /** Undefined for any name that is not of this part. */
  numberOf: (name: string, part: number): number | undefined => {
    const match = /^search(?:-(\d+))?\.(\d+)\.db$/.exec(name);
    return match && Number(match[1] ?? 0) === part ? Number(match[2]) : undefined;
  },
} as const;

/** Where runs are kept. */
export interface RunFolders {
  journals: string;
  snapshots: string;
  signals: string;
  /** The file that holds the number of the last event. */
  lastEvent: string;
  /** The file that lists the runs that are over. */
  endedRuns: string;
}

export function runFolders(home: string): RunFolders {
  return {
    journals: join(home, "logs", "workflows"),
    snapshots: join(home, "state", "workflows"),
    signals: join(home, "signals"),
    lastEvent: join(home, "state", "last-event"),
    endedRuns: join(home, "state", "ended-runs.jsonl"),
  };
}

export const runPaths = {
  journal: (folders: Pick<RunFolders, "journals">, id: string) => join(folders.journals, `${checked(id)}.jsonl`),
  /** The run whose journal has this name; undefined for any other file. */
  idOfJournal: (name: string): string | undefined => {
    const id = withoutSuffix(name, ".jsonl");
    return id !== undefined && runIdPattern.test(id) ? id : undefined;
  },
  /** Outputs too long for the journal. */
  outputs: (folders: RunFolders, id: string) => join(folders.journals, checked(id)),
  /** One of them, named by its hash. */
  output: (folder: string, sha256: string) => join(folder, `${sha256}.txt`),
  snapshot: (folders: RunFolders, id: string) => join(folders.snapshots, `${checked(id)}.json`),
  digest: (folders: RunFolders, id: string) => join(folders.snapshots, `${checked(id)}.digest`),
  /** The run whose snapshot has this name; undefined for any other file. */
  idOfSnapshot: (name: string): string | undefined => {
    const id = withoutSuffix(name, ".json");
    return id !== undefined && runIdPattern.test(id) ? id : undefined;
  },
  /** Ids have no dot, so that the files of one run never match another's. */
  signal: (folder: string, runId: string, id: string) => join(folder, `${runId}.${id}.json`),
  isSignalOf: (name: string, runId: string) => name.startsWith(`${runId}.`) && name.endsWith(".json"),
} as const;

/** The file of a bead's claim, and the one that the first versions used. */
export function claimPaths(folder: string, bead: string): [string, string?] {
  const path = join(folder, `${beadFileName(bead)}.json`);
  const legacyName = Buffer.from(bead).toString("base64url");
  return legacyName.length <= 200 ? [path, join(folder, `${legacyName}.json`)] : [path];
}

/** The state of a work session, in the folder of these. */
export function workStatePath(folder: string, session: string): string {
  if (!sessionIdPattern.test(session))
    throw new ClewError("invalid_id", `${JSON.stringify(session)} is no session id`, "clew session list");
  return join(folder, `${session}.json`);
}

/** The files of a log: the one that is written to, and `number` older ones. */
export function olderLog(path: string, number: number): string {
  return `${path}.${number}`;
}

/** A token's file, in the folder of these; undefined when no token has such an id. */
export function tokenPath(folder: string, id: string): string | undefined {
  return /^[a-z0-9]{1,32}$/.test(id) ? join(folder, `${id}.json`) : undefined;
}

/** The token whose file has this name; undefined for any other file. */
export function idOfToken(name: string): string | undefined {
  return /^([a-z0-9]{1,32})\.json$/.exec(name)?.[1];
}

/** Why a bead could not be started, in the folder of these. */
export function refusedPath(folder: string, bead: string): string {
  return join(folder, `${beadFileName(bead)}.json`);
}

/** The id if it can name a file on every disk, also a case-insensitive one; else a hash of it. */
function beadFileName(bead: string): string {
  if (/^[a-z0-9][a-z0-9.-]{0,99}$/.test(bead)) return bead;
  return sha256Of(bead);
}

/** Loading it takes longer than the rest of many a command, and few ids need it. */
function sha256Of(text: string): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(text).digest("hex");
}

function withoutSuffix(name: string, suffix: string): string | undefined {
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : undefined;
}

/** Ids become paths, so they are checked where they do. */
function checked(id: string): string {
  if (runIdPattern.test(id)) return id;
  throw new ClewError("invalid_id", `${JSON.stringify(id)} is no run id`, "clew run list shows those that exist");
}

/** What stands below the root. */
export const rootPaths = {
  clew: (root: string) => join(root, ".clew"),
  settings: (root: string) => join(root, ".clew", "config.yaml"),
  ignoreRules: (root: string) => join(root, ".clew", ".gitignore"),
  grimoires: (root: string) => join(root, ".clew", "grimoires"),
  spells: (root: string) => join(root, ".clew", "spells"),
  agents: (root: string) => join(root, ".clew", "agents"),
  beads: (root: string) => join(root, ".beads"),
  worktrees: (root: string) => join(root, ".worktrees"),
} as const;

/** Folders that live in the git folder and are reached through links in `.clew/`. */
export const linkedFolders = ["logs", "state", "transcripts", "index"] as const;

/** Such a folder, and the link to it. */
export function linkedFolder({ root, home }: Layout, name: string): { folder: string; link: string } {
  return { folder: join(home, name), link: join(rootPaths.clew(root), name) };
}

/** The path below the root by which a person reaches a file in a linked folder. */
export function linkedPath({ home }: Layout, path: string): string {
  return join(rootPaths.clew(""), relative(home, path));
}

const canNameFolder = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const removedPrefix = ".removed-";

/** Worktrees of runs. */
export const worktreePaths = {
  /** `.worktrees/<name>`: the bead's id where it can name a folder, else its letters and digits with a short hash. */
  of: (root: string, bead: string) => join(rootPaths.worktrees(root), worktreeName(bead)),
  /** `.worktrees/BEAD.RUN`, when another run needs the bead's place. */
  aside(folder: string, runId: string): string {
    const [name, suffix] = [basename(folder), `.${runId}`];
    return join(dirname(folder), name.endsWith(suffix) ? name : `${name}${suffix}`);
  },
  /** Where a worktree stands while it is deleted. `random` tells it from others of the bead. */
  removed: (root: string, folder: string, random: string) =>
    join(rootPaths.worktrees(root), `${removedPrefix}${basename(folder)}-${random}`),
  isRemoved: (name: string) => name.startsWith(removedPrefix),
  ignoreRules: (root: string) => join(rootPaths.worktrees(root), ".gitignore"),
} as const;

function worktreeName(bead: string): string {
  const isSafe = canNameFolder.test(bead) && !bead.includes("..") && !/\.(?:lock)?$/.test(bead);
  if (isSafe) return bead;
  const words = bead.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+/, "");
  return `${words.slice(0, 40) || "bead"}-${sha256Of(bead).slice(0, 8)}`.replace(/-+/g, "-");
}

/** Answers of the daemon to requests that may be repeated. */
export const answerPaths = {
  /** A key may be anything: its file is named by its hash. */
  answer: (folder: string, key: string) => join(folder, `${sha256Of(key)}.json`),
  inFolder: (folder: string, name: string) => join(folder, name),
} as const;

/** What agents of talks ask, one file each. */
export const questionPaths = {
  question: (folder: string, id: string) => {
    if (!questionIdPattern.test(id))
      throw new ClewError("invalid_id", `${JSON.stringify(id)} is no question`, "clew inbox");
    return join(folder, `${id}.json`);
  },
} as const;

/** Breadcrumbs of a session, in its folder of them. */
export const breadcrumbPaths = {
  depth: (folder: string, depth: number) => join(folder, String(depth)),
  /** The depth whose folder has this name; undefined for any other. */
  depthOf: (name: string): number | undefined => (/^(?:0|[1-9]\d?)$/.test(name) ? Number(name) : undefined),
  /** `number` tells those of one moment apart. */
  file: (folder: string, timestamp: string, number: number) =>
    join(folder, `${timestamp.replaceAll(":", "")}${number === 1 ? "" : `-${number}`}.json`),
  /** When it was left, and which of that moment it is; undefined for any other file. */
  read(name: string): { time: string; number: number } | undefined {
    const [, time, number = "1"] = /^(\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z)(?:-([1-9]\d{0,8}))?\.json$/.exec(name) ?? [];
    return time === undefined ? undefined : { time, number: Number(number) };
  },
} as const;

/** What comes with the program, in the folders that it is started with. */
export const programPaths = {
  definitions: (builtins: string, kind: "grimoires" | "spells") => join(builtins, kind),
  /** A built-in grimoire as the build parsed it. */
  parsedGrimoire: (path: string) => `${path}.json`,
  engine: (engines: string, name: string) => join(engines, `${name}.cjs`),
  /** The program itself. */
  clew: (engines: string) => join(dirname(engines), "clew.cjs"),
  /** What the REST API is, for programs that generate a client. */
  apiDocument: (engines: string) => join(dirname(engines), "openapi.json"),
  /** What the threads run that build the search. */
  searchThread: (engines: string) => join(dirname(engines), "chunks", "search-thread.cjs"),
} as const;

/** What stands in a folder of beads, wherever that is. */
export const beadPaths = {
  issues: (folder: string) => join(folder, "issues.jsonl"),
  settings: (folder: string) => join(folder, "config.yaml"),
  /** Names the program that keeps the beads. */
  metadata: (folder: string) => join(folder, "metadata.json"),
  /** Leads to another folder. */
  redirect: (folder: string) => join(folder, "redirect"),
  /** The locks of a folder that stands in no repository. */
  locks: (folder: string) => join(folder, ".clew-locks"),
} as const;

/** The note about a run in the folder that git keeps for its worktree. */
export function worktreeNotePath(gitFolder: string): string {
  return join(gitFolder, "clew.json");
}

/** Where the user's own settings stand. */
export function userSettings(env: Env): string {
  return join(userConfigFolder(env), "clew", "config.yaml");
}

/** Where git reads the user's own settings. */
export function userGitSettings(env: Env): string[] {
  return [join(userHome(env), ".gitconfig"), join(userConfigFolder(env), "git", "config")];
}

/** Where the system reads what it starts at login. */
export const servicePaths = {
  systemd: (env: Env, name: string) => join(userConfigFolder(env), "systemd", "user", `${name}.service`),
  launchd: (env: Env, name: string) => join(userHome(env), "Library", "LaunchAgents", `${name}.plist`),
} as const;

/** `clew-<folder>-<hash>`: the same for a repository however often it is asked, and another for every other. */
export function serviceName(root: string, commonDir: string): string {
  const words = basename(root)
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .slice(0, 40);
  return `clew-${words || "repository"}-${sha256Of(commonDir).slice(0, 8)}`;
}

/** The daemon's socket in a folder of sockets. Long paths are cut by the system, so that it is named by a hash. */
export function socketIn(folder: string, commonDir: string): string {
  return join(folder, `${sha256Of(commonDir).slice(0, 16)}.sock`);
}

function userConfigFolder(env: Env): string {
  return env["XDG_CONFIG_HOME"] || join(userHome(env), ".config");
}

function userHome(env: Env): string {
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

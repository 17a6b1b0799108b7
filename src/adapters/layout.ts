import { join } from "node:path";
import { ClewError } from "../contract/errors.ts";
import { runIdPattern } from "../contract/run.ts";

// Where everything stands. Git's own files are git's, and what is inside one adapter's folder is that adapter's.

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

export const paths = {
  session: (layout: Layout, id: string) => join(layout.sessions, id),
  record: (layout: Layout, id: string) => join(layout.sessions, id, "session.md"),
  live: (layout: Layout, id: string) => join(layout.home, "live", `${id}.jsonl`),
  /** What the last writer left: stamps, counters, what the body ends in. May be lost; never the truth. */
  state: (layout: Layout, id: string) => join(layout.home, "live", `${id}.state`),
  /** Marks a session that is active or has entries not yet folded into frontmatter and index. */
  open: (layout: Layout, id: string) => join(layout.home, "open", id),
  openFolder: (layout: Layout) => join(layout.home, "open"),
  liveFolder: (layout: Layout) => join(layout.home, "live"),
  transcripts: (layout: Layout, id: string) => join(layout.home, "transcripts", id),
  transcriptsFolder: (layout: Layout) => join(layout.home, "transcripts"),
  results: (layout: Layout, id: string) => join(layout.home, "transcripts", id, "results.jsonl"),
  index: (layout: Layout) => join(layout.home, "index"),
  search: (layout: Layout) => join(layout.home, "search"),
  /** What the index was last compared with: the sessions folder's time, and HEAD. */
  seen: (layout: Layout) => join(layout.home, "state", "sessions-seen.json"),
  stateFolder: (layout: Layout) => join(layout.home, "state"),
  /** Tells which process is the daemon. */
  daemon: (layout: Layout) => join(layout.home, "state", "daemon.json"),
  locks: (layout: Pick<Layout, "home">) => join(layout.home, "locks"),
  /** One lock for each run: who drives it. */
  driverLocks: (layout: Layout) => join(layout.home, "locks", "runs"),
  /** Which beads runs work on. */
  claims: (layout: Pick<Layout, "home">) => join(layout.home, "claims"),
  /** Beads that could not be started. */
  refused: (layout: Layout) => join(layout.home, "refused"),
  /** Where the root is, when git's files do not tell. */
  root: (home: string) => join(home, "root"),
  /** What stood in half-written files of a landing that was mended. */
  mended: (home: string, commit: string) => join(home, "mended", commit.slice(0, 12)),
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
  journal: (folders: RunFolders, id: string) => join(folders.journals, `${checked(id)}.jsonl`),
  /** Outputs too long for the journal. */
  outputs: (folders: RunFolders, id: string) => join(folders.journals, checked(id)),
} as const;

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
  beads: (root: string) => join(root, ".beads"),
  worktrees: (root: string) => join(root, ".worktrees"),
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
function userFolder(env: Env): string {
  return join(userConfigFolder(env), "clew");
}

export function userSettings(env: Env): string {
  return join(userFolder(env), "config.yaml");
}

/** Where git reads the user's own settings. */
export function userGitSettings(env: Env): string[] {
  return [join(userHome(env), ".gitconfig"), join(userConfigFolder(env), "git", "config")];
}

function userConfigFolder(env: Env): string {
  return env["XDG_CONFIG_HOME"] || join(userHome(env), ".config");
}

function userHome(env: Env): string {
  return env["HOME"] || process.getBuiltinModule("node:os").homedir();
}

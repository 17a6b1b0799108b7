import { basename, dirname, join, relative } from "node:path";
import { withoutSuffix } from "./layout/file-names.ts";
import { runFolders } from "./layout/run-paths.ts";

// Where everything stands; what its files are called is in layout/. Git's own files are git's, and `bd`'s are `bd`'s.

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
  /** What results an import found before it added some: there only while it writes. */
  resultsNote: (layout: Layout, id: string) => join(layout.home, "transcripts", id, "results-before.json"),
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
  /** One lock for each talk: who leads it. */
  talkLocks: (layout: Pick<Layout, "home">) => join(layout.home, "locks", "talks"),
  /** What is known of work sessions beside their records. */
  workStates: (layout: Pick<Layout, "home">) => join(layout.home, "state", "ai-sync"),
  /** The talks whose agents live. */
  talkStates: (layout: Pick<Layout, "home">) => join(layout.home, "state", "talks"),
  /** The agents of work sessions and talks, as other processes see and steer them. */
  handles: (layout: Pick<Layout, "home">) => join(layout.home, "state", "agents"),
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
  const { claims, liveFolder, refused, stateFolder, talkStates, tokens, workStates } = paths;
  return [
    claims(layout),
    liveFolder(layout),
    refused(layout),
    signals,
    stateFolder(layout),
    snapshots,
    talkStates(layout),
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

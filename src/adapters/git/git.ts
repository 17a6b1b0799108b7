import { markedBy, markOf } from "../shell/process-marks.ts";
import { gitEnvironment, withoutPrograms } from "./environment.ts";
import { splitFields } from "./split-fields.ts";
import { fetchNothing } from "./read-only-git.ts";

/** Without the branches of runs, which Clew deletes, and without stashes, tags and notes, which users drop easily. */
const userBranches = ["--exclude=clew/*", "--branches", "--remotes"];

/** A git that takes longer is taken to hang: settings may include a pipe. */
const patienceMs = 120_000;

/** Questions that only the git program can answer. Its calls are synchronous. */
export interface Git {
  /** Paths below `folder` that differ between two commits; undefined when git cannot tell (a commit is gone). */
  changedPaths(from: string, to: string, folder: string): string[] | undefined;
  /** A path's content in a commit. */
  contentAt(commit: string, path: string): Buffer | undefined;
  /** The newest commits, of those that a branch or remote branch reaches, that wrote the path; `most` at most. */
  commitsWith(path: string, max: number): string[];
  /** Changes whenever a branch or remote branch does; undefined when git cannot tell. */
  branchesHash(): string | undefined;
  readBlob(blob: string): Buffer | undefined;
  /**
   * Files that git tracks, or would: those that it ignores are not among them. In these folders and below, or all. Sorted; undefined when git
   * cannot tell.
   */
  knownFiles(folders: readonly string[]): string[] | undefined;
  /** Those of the paths that git tracks and leaves out of a sparse checkout. */
  skippedPaths(paths: string[]): string[];
  version(): string | undefined;
}

export function gitAt(root: string): Git {
  const gitEnv = gitEnvironment(process.env);
  const mark = markOf({ runId: "clew", path: "git" }, String(process.pid));
  const env = { ...gitEnv, ...markedBy(gitEnv, mark), GIT_OPTIONAL_LOCKS: "0", ...fetchNothing, LC_ALL: "C" };
  let hasTimedOut = false;
  const run = (args: string[]): Buffer | undefined => {
    if (hasTimedOut) return undefined;
    // Loaded here, because most commands never start git.
    const { spawnSync } = process.getBuiltinModule("node:child_process");
    const { status, stdout, error } = spawnSync("git", [...withoutPrograms, "-C", root, ...args], {
      env,
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 256 * 1024 * 1024,
      timeout: patienceMs,
    });
    // After one timeout git is not asked again: the caller would wait for each session.
    hasTimedOut = error !== undefined && "code" in error && error.code === "ETIMEDOUT";
    return status === 0 ? stdout : undefined;
  };
  const line = (args: string[]): string | undefined => {
    const text = run(args)?.toString("utf8").trim();
    return text === "" ? undefined : text;
  };
  return {
    changedPaths: (from, to, folder) => {
      const paths = run(["diff", "--no-ext-diff", "--name-only", "--no-renames", "-z", from, to, "--", folder]);
      return paths && splitFields(paths);
    },
    contentAt: (commit, path) => run(["cat-file", "blob", `${commit}:${path}`]),
    commitsWith: (path, max) =>
      line(["log", ...userBranches, "--diff-filter=AM", `-${max}`, "--format=%H", "--", path])?.split("\n") ?? [],
    branchesHash: () => {
      const branches = run(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes"]);
      const { createHash } = process.getBuiltinModule("node:crypto");
      return branches && createHash("sha1").update(branches).digest("hex");
    },
    readBlob: (blob) => (/^[0-9a-f]{40,64}$/.test(blob) ? run(["cat-file", "blob", blob]) : undefined),
    knownFiles: (folders) => {
      const listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
      const paths = run(["--literal-pathspecs", ...listing, "--", ...folders]);
      return paths && splitFields(paths).sort();
    },
    skippedPaths: (paths) => {
      const entries = run(["--literal-pathspecs", "ls-files", "-t", "-z", "--", ...paths]) ?? Buffer.alloc(0);
      return splitFields(entries).flatMap((entry) => (entry.startsWith("S ") ? [entry.slice(2)] : []));
    },
    version: () => line(["version"])?.replace(/^git version /, ""),
  };
}

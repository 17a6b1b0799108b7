import { markedBy, markOf } from "../shell/marks.ts";
import { gitEnvironment } from "./environment.ts";
import { fetchNothing } from "./read-only-git.ts";
import { withoutPrograms } from "./without-programs.ts";

/** Not the branches of runs, which Clew itself deletes; no stash, tag or note, which come and go without a thought. */
const userBranches = ["--exclude=clew/*", "--branches", "--remotes"];

/** A git that takes longer never answers: settings may include a pipe. */
const patienceMs = 120_000;

/** What is asked of the git program itself. */
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
  /** Which of these paths git tracks and was told not to have in the checkout. */
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
    // Who waited in vain once does not wait again for each session.
    hasTimedOut = error !== undefined && "code" in error && error.code === "ETIMEDOUT";
    return status === 0 ? stdout : undefined;
  };
  const line = (args: string[]): string | undefined => {
    const text = run(args)?.toString("utf8").trim();
    return text === "" ? undefined : text;
  };
  return {
    changedPaths: (from, to, folder) =>
      run(["diff", "--no-ext-diff", "--name-only", "--no-renames", "-z", from, to, "--", folder])
        ?.toString("utf8")
        .split("\0")
        .filter((path) => path !== ""),
    contentAt: (commit, path) => run(["cat-file", "blob", `${commit}:${path}`]),
    commitsWith: (path, max) =>
      line(["log", ...userBranches, "--diff-filter=AM", `-${max}`, "--format=%H", "--", path])?.split("\n") ?? [],
    branchesHash: () => {
      const branches = run(["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/remotes"]);
      const { createHash } = process.getBuiltinModule("node:crypto");
      return branches && createHash("sha1").update(branches).digest("hex");
    },
    readBlob: (blob) => (/^[0-9a-f]{40,64}$/.test(blob) ? run(["cat-file", "blob", blob]) : undefined),
    skippedPaths: (paths) =>
      (run(["--literal-pathspecs", "ls-files", "-t", "-z", "--", ...paths])?.toString("utf8") ?? "")
        .split("\0")
        .filter((entry) => entry.startsWith("S "))
        .map((entry) => entry.slice(2)),
    version: () => line(["version"])?.replace(/^git version /, ""),
  };
}

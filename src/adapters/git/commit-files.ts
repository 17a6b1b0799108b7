import { spawnSync } from "node:child_process";
import type { CommitFiles } from "../../app/learn/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { gitEnvironment, withoutPrograms } from "./environment.ts";
import { fetchNothing } from "./read-only-git.ts";
import { splitFields } from "./split-fields.ts";

const patienceMs = 120_000;

/** What git keeps of commits, for tasks that are made of them. Calls are synchronous; nothing is fetched. */
export function commitFiles(root: string, env: Record<string, string | undefined>): CommitFiles {
  const gitEnv = { ...gitEnvironment(env), ...fetchNothing, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const run = (args: string[]): Buffer | undefined => {
    const { status, stdout } = spawnSync("git", [...withoutPrograms, "--literal-pathspecs", "-C", root, ...args], {
      env: gitEnv,
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 256 * 1024 * 1024,
      timeout: patienceMs,
    });
    return status === 0 ? stdout : undefined;
  };
  const must = (args: string[], what: string): void => {
    if (!run(args)) throw new ClewError("internal", `git could not ${what}`, "clew doctor looks at the repository");
  };
  return {
    has: (commit) => isName(commit) && run(["cat-file", "-e", `${commit}^{commit}`]) !== undefined,
    isAncestor: (commit, of) => run(["merge-base", "--is-ancestor", commit, of]) !== undefined,
    rootNames: (commit) => splitFields(run(["ls-tree", "-z", "--name-only", commit]) ?? Buffer.alloc(0)),
    hidesFromArchives(commit) {
      const files = run(["grep", "-I", "-l", "-z", "-E", "export-(ignore|subst)", commit]) ?? Buffer.alloc(0);
      return splitFields(files).some((path) => path.endsWith(".gitattributes"));
    },
    changes(from, to) {
      const entries = run(["diff", "--no-ext-diff", "--name-status", "--no-renames", "-z", from, to]);
      if (!entries) return undefined;
      const fields = splitFields(entries);
      const changed: string[] = [];
      const removed: string[] = [];
      for (let at = 0; at + 1 < fields.length; at += 2) (fields[at] === "D" ? removed : changed).push(fields[at + 1]!);
      return { changed, removed };
    },
    archive: (commit, file, paths = []) =>
      must(
        ["archive", "--format=tar", "-o", file, commit, ...(paths.length === 0 ? [] : ["--", ...paths])],
        "archive a commit",
      ),
    diff: (from, to, file) =>
      must(["diff", "--no-ext-diff", "--no-textconv", "--binary", `--output=${file}`, from, to], "compare commits"),
  };
}

function isName(commit: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(commit);
}

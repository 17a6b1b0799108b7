import { realpathSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { WorktreeLook } from "../../../app/evidence/ports.ts";
import { attempt } from "../../../text/attempt.ts";
import { checkoutAround, commonDirOf } from "../checkout.ts";
import { gitCalls, type GitCalls } from "../git-calls.ts";
import { headCommit } from "../refs.ts";
import type { StepGitParts } from "./step-git.ts";
import { gitTreeOf, type LookContext } from "./tree-of.ts";

/** No file that decides what a command does is longer. */
const maxFileBytes = 1024 * 1024;
const maxNamesBytes = 4 * 1024 * 1024;

/** An agent may have told git to take other objects in the place of some. */
const asItIs = { GIT_NO_REPLACE_OBJECTS: "1" };

/** The tree without files, by the length of a repository's ids. Git knows it in every repository. */
const emptyTrees: Record<number, string> = {
  40: "4b825dc642cb6eb9a060e54bf8d69288fbee4904",
  64: "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321",
};

/** Git knows no `./`: such a glob would match nothing. */
function plainGlob(glob: string): string {
  return glob.replace(/^(?:\.\/+)+/, "").replace(/\/\.(?=\/)/g, "");
}

/** The worktree of a step, as evidence needs to see it. */
export function worktreeLook(
  parts: Pick<StepGitParts, "env" | "newMark" | "repository">,
  context: LookContext,
): WorktreeLook {
  const { folder } = context.pinned;
  const git = readingGit(parts, context);
  const changed: WorktreeLook["changed"] = async (from, to, globs) => {
    if (from === to) return [];
    const specs = globs.map((glob) => `:(top,glob)${plainGlob(glob)}`);
    const args = ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", from, to, "--", ...specs];
    const result = await attemptLater(() => git.plain(folder, args, { maxBytes: maxNamesBytes, env: asItIs }));
    if (!result || (result.code !== 0 && !result.cut)) return undefined;
    return result.stdout
      .toString("utf8")
      .split("\0")
      .filter((name) => name !== "");
  };
  return {
    tree: () => attemptLater(() => gitTreeOf(parts, context)),
    head: () => attempt(() => headIn(folder), undefined),
    changed,
    filesIn: (tree, globs) => changed(emptyTrees[tree.length] ?? "", tree, globs),
    pathBelow(file, from = folder) {
      const path = relative(realPath(folder), resolve(realPath(from), file));
      return path === "" || path.startsWith("..") || isAbsolute(path) ? undefined : path;
    },
    async file(tree, path) {
      const args = ["cat-file", "blob", `${tree}:${path}`];
      const result = await attemptLater(() => git.plain(folder, args, { maxBytes: maxFileBytes, env: asItIs }));
      return result?.code === 0 ? result.stdout.toString("utf8") : undefined;
    },
    isRoot: (other) => realPath(other) === realPath(folder),
  };
}

function readingGit({ env, newMark }: Pick<StepGitParts, "env" | "newMark">, context: LookContext): GitCalls {
  return gitCalls({
    env,
    signal: context.signal,
    newMark: () => newMark(context),
    onProcess: (record) => context.log({ type: "step.process", ...record }),
    onOutput: () => undefined,
  });
}

function headIn(folder: string): string | undefined {
  const checkout = checkoutAround(folder);
  return checkout && headCommit({ gitDir: checkout.gitDir, commonDir: commonDirOf(checkout.gitDir) });
}

function realPath(folder: string): string {
  return attempt(() => realpathSync(folder), folder);
}

/** What git cannot tell is not known; a full disk or an ended step shows elsewhere. */
async function attemptLater<T>(work: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

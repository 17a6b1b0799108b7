import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { devNull } from "node:os";
import type { CommitFile, CommitFiles } from "../../app/learn/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { attempt } from "../../text/attempt.ts";
import { gitEnvironment, withoutPrograms } from "./environment.ts";
import { fetchNothing, overrideVariables, settingsQuery } from "./read-only-git.ts";
import { splitFields } from "./split-fields.ts";

const patienceMs = 120_000;
const mostPrinted = 256 * 1024 * 1024;
/** So much of blobs is asked for at once. */
const batchBytes = 32 * 1024 * 1024;

/** Attributes with which an archive has other bytes than the commit, or other files. */
const differing = /[ \t](?:export-ignore|export-subst|ident|filter(?:=|\s|$)|eol=crlf|working-tree-encoding=)/m;

/** Settings of the user and the system decide nothing about an archive: no attributes of theirs, no line ends. */
const plainArchives = [`core.attributesFile=${devNull}`, "core.autocrlf=false", "core.eol=lf"].flatMap((setting) => [
  "-c",
  setting,
]);

/**
 * What git keeps of commits, for tasks that are made of them. Calls are synchronous; nothing is fetched, and no filter of the repository's
 * settings is started. Throws `interrupted` when a signal of the terminal ended git.
 */
export function commitFiles(root: string, env: Record<string, string | undefined>): CommitFiles {
  const plainEnv = {
    ...gitEnvironment(env),
    ...fetchNothing,
    GIT_OPTIONAL_LOCKS: "0",
    GIT_ATTR_NOSYSTEM: "1",
    LC_ALL: "C",
  };
  const call = (args: string[], input: string, callEnv: Record<string, string | undefined>): Buffer | undefined => {
    const { status, stdout, signal } = spawnSync("git", [...withoutPrograms, ...plainArchives, "-C", root, ...args], {
      env: callEnv,
      input,
      stdio: ["pipe", "pipe", "ignore"],
      maxBuffer: mostPrinted,
      timeout: patienceMs,
    });
    if (signal === "SIGINT" || signal === "SIGHUP")
      throw new ClewError("interrupted", "git was interrupted", "export again when you like");
    return status === 0 ? stdout : undefined;
  };
  let gitEnv: Record<string, string | undefined> | undefined;
  const run = (args: string[], input = ""): Buffer | undefined => {
    gitEnv ??= { ...plainEnv, ...overridesOf(call(settingsQuery, "", plainEnv), env) };
    return call(args, input, gitEnv);
  };
  const must = (args: string[], what: string): void => {
    if (!run(args)) throw new ClewError("internal", `git could not ${what}`, "clew doctor looks at the repository");
  };
  const files = (commit: string): CommitFile[] =>
    splitFields(run(["ls-tree", "-r", "-z", "--long", "--full-tree", commit]) ?? Buffer.alloc(0)).flatMap(readFile);
  function* contents(wanted: readonly CommitFile[]): Generator<[CommitFile, Buffer | undefined]> {
    for (const batch of batches(wanted)) {
      const printed = run(["cat-file", "--batch"], batch.map(({ blob }) => `${blob}\n`).join(""));
      yield* blobsIn(printed ?? Buffer.alloc(0), batch);
    }
  }
  const ownAttributes = (): string => {
    const path = run(["rev-parse", "--path-format=absolute", "--git-path", "info/attributes"]);
    return path ? attempt(() => readFileSync(path.toString("utf8").trimEnd(), "utf8"), "") : "";
  };
  return {
    has: (commit) => isName(commit) && run(["cat-file", "-e", `${commit}^{commit}`]) !== undefined,
    isAncestor: (commit, of) => run(["merge-base", "--is-ancestor", commit, of]) !== undefined,
    files,
    contents,
    differsInArchives(commit) {
      if (differing.test(ownAttributes())) return true;
      const attributes = files(commit).filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path));
      for (const [, bytes] of contents(attributes)) if (!bytes || differing.test(bytes.toString("utf8"))) return true;
      return false;
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
        [
          "--literal-pathspecs",
          "archive",
          "--format=tar",
          "-o",
          file,
          commit,
          ...(paths.length === 0 ? [] : ["--", ...paths]),
        ],
        "archive a commit",
      ),
    diff: (from, to, file) =>
      must(["diff", "--no-ext-diff", "--no-textconv", "--binary", `--output=${file}`, from, to], "compare commits"),
  };
}

function isName(commit: string): boolean {
  return /^[0-9a-f]{40,64}$/.test(commit);
}

/** Variables that keep the repository's own filters from being started. */
function overridesOf(settings: Buffer | undefined, env: Record<string, string | undefined>): Record<string, string> {
  const variables = overrideVariables(settings ?? Buffer.alloc(0), Number(env["GIT_CONFIG_COUNT"] ?? 0) || 0);
  if (variables) return variables;
  throw new ClewError(
    "internal",
    "the repository's settings name a filter in bytes that are no text",
    "git config --list",
  );
}

/** `MODE blob NAME SIZE⇥PATH`; of a submodule there is no blob. */
function readFile(line: string): CommitFile[] {
  const found = /^\d+ blob ([0-9a-f]+) +(\d+)\t([^]+)$/.exec(line);
  return found ? [{ blob: found[1]!, bytes: Number(found[2]), path: found[3]! }] : [];
}

function* batches(files: readonly CommitFile[]): Generator<CommitFile[]> {
  let batch: CommitFile[] = [];
  let bytes = 0;
  for (const file of files) {
    if (batch.length > 0 && bytes + file.bytes > batchBytes) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(file);
    bytes += file.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** `NAME blob SIZE⏎CONTENT⏎` for each, and `NAME missing⏎` for what a partial clone lacks. */
function* blobsIn(printed: Buffer, files: readonly CommitFile[]): Generator<[CommitFile, Buffer | undefined]> {
  let at = 0;
  for (const file of files) {
    const lineEnd = printed.indexOf(10, at);
    const size = lineEnd < 0 ? undefined : / blob (\d+)$/.exec(printed.toString("latin1", at, lineEnd))?.[1];
    const start = lineEnd < 0 ? printed.length : lineEnd + 1;
    yield [file, size === undefined ? undefined : printed.subarray(start, start + Number(size))];
    at = size === undefined ? start : start + Number(size) + 1;
  }
}

import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Landing } from "../../../../contract/run.ts";
import { explainErrors } from "../../../files/failure.ts";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import type { Checkout } from "../../checkout.ts";
import { stateByContent, stateByHash, type PathState } from "./path-state.ts";
import { joinPaths, onDisk, shown, splitPaths, type BytePath } from "../plumbing/paths.ts";
import { nothing, readRaw, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";
import { removePath } from "../plumbing/remove-path.ts";
import { restoreFiles } from "./restore-files.ts";
import { withWrittenAside } from "./written-aside.ts";

/** What a landing changes, path by path. */
export async function changesOf(git: GitCalls, commonDir: string, { from, to }: Landing): Promise<RawChange[]> {
  const command = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--ignore-submodules=none"];
  return readRaw(await answerOf(git, commonDir, [`--git-dir=${commonDir}`, ...command, from, to, "--"]));
}

interface TakenBack {
  checkout: Checkout;
  landing: Landing;
  changes: RawChange[];
  /** Where copies are put of what only looks like git's half work; undefined when it can be nobody else's. */
  keepIn: string | undefined;
}

/**
 * Undoes what git did in a checkout whose branch did not move: first what is new, then the index, then what was there. A
 * file that git had begun to write could as well be a person's, who took away its end: it is kept, and the copies are told.
 */
export async function takeBack(git: GitCalls, { checkout, landing, changes, keepIn }: TakenBack): Promise<string[]> {
  const { folder } = checkout;
  const added = await gitsWork(git, checkout, landing, changes.filter(isNew));
  const kept = keepCopies(folder, added.begun, keepIn);
  for (const path of [...added.whole, ...added.begun]) removePath(folder, path);
  const skipped = await skippedIn(git, folder);
  await resetIndex(git, folder, await indexedByGit(git, folder, landing, changes), skipped);
  const there = changes.filter((change) => !isNew(change) && !skipped.has(change.path));
  const changed = await gitsWork(git, checkout, landing, there);
  kept.push(...keepCopies(folder, changed.begun, keepIn));
  await restoreFiles(git, folder, [...changed.whole, ...changed.begun]);
  return kept;
}

/** Gives where the copies are. Empty files hold nothing that could be missed. */
function keepCopies(folder: string, paths: BytePath[], keepIn: string | undefined): string[] {
  if (keepIn === undefined) return [];
  return paths.flatMap((path) => {
    const file = onDisk(folder, path);
    if (lstatSync(file).size === 0) return [];
    explainErrors(keepIn, () => mkdirSync(keepIn, { recursive: true }));
    const copy = join(
      keepIn,
      `${createHash("sha256").update(path).digest("hex").slice(0, 12)}-${shown(path)
        .replace(/[^\w.-]+/g, "-")
        .slice(-80)}`,
    );
    explainErrors(copy, () => copyFileSync(file, copy));
    return [copy];
  });
}

interface GitsWork {
  whole: BytePath[];
  /** Only a beginning of what git would have written stands there. */
  begun: BytePath[];
}

/** The paths at which git's own work stands, whole or half. */
async function gitsWork(git: GitCalls, checkout: Checkout, landing: Landing, changes: RawChange[]): Promise<GitsWork> {
  const states = new Map<RawChange, PathState | undefined>();
  for (const change of changes) states.set(change, stateByHash(checkout.folder, change));
  const unclear = changes.filter((change) => states.get(change) === undefined);
  if (unclear.length > 0) {
    const commits = { old: landing.from, new: landing.to };
    await withWrittenAside(git, checkout, commits, unclear, (written) => {
      for (const change of unclear) states.set(change, stateByContent(checkout.folder, change, written));
    });
  }
  const pathsIn = (state: PathState): BytePath[] =>
    changes.filter((change) => states.get(change) === state).map(({ path }) => path);
  return { whole: pathsIn("git"), begun: pathsIn("begun") };
}

/** Changes that stand in the index as the merge has them. */
async function indexedByGit(
  git: GitCalls,
  folder: string,
  { from }: Landing,
  changes: RawChange[],
): Promise<RawChange[]> {
  const differing = await stagedChanges(git, folder, from);
  const staged = new Map(differing.map((each) => [each.path, each.new]));
  return changes.filter(({ path, new: after }) => {
    const side = staged.get(path);
    return side !== undefined && side.mode === after.mode && side.id === after.id;
  });
}

/** Files that a sparse checkout leaves out: they are not lost. */
async function skippedIn(git: GitCalls, folder: string): Promise<Set<BytePath>> {
  const lines = splitPaths(await answerOf(git, folder, ["ls-files", "-t", "-z", "--full-name"]));
  return new Set(lines.filter((line) => line.startsWith("S ")).map((line) => line.slice(2)));
}

async function resetIndex(git: GitCalls, folder: string, changes: RawChange[], skipped: Set<BytePath>): Promise<void> {
  if (changes.length === 0) return;
  // What is new goes first, because a file may have stood where it needs a folder.
  const lines = [...changes.filter(isNew), ...changes.filter((change) => !isNew(change))].map(
    ({ path, old }) => `${old.mode === nothing ? "0" : old.mode} ${old.id}\t${path}\0`,
  );
  await answerOf(git, folder, ["update-index", "-z", "--index-info"], { stdin: Buffer.from(lines.join(""), "latin1") });
  const hidden = changes.filter((change) => !isNew(change) && skipped.has(change.path)).map(({ path }) => path);
  if (hidden.length === 0) return;
  await answerOf(git, folder, ["update-index", "--skip-worktree", "-z", "--stdin"], { stdin: joinPaths(hidden) });
}

const isNew = ({ old }: RawChange): boolean => old.mode === nothing;

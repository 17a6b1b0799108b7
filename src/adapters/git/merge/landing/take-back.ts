import { createHash } from "node:crypto";
import { copyFileSync, lstatSync, mkdirSync } from "node:fs";
import type { Landing } from "../../../../contract/run.ts";
import { explainErrors } from "../../../files/failure.ts";
import type { GitCalls } from "../../git-calls.ts";
import { answerOf } from "../plumbing/ask.ts";
import type { Checkout } from "../../checkout.ts";
import { stateByContent, stateByHash, type PathState } from "./path-state.ts";
import { joinPaths, diskPath, displayPath, splitPaths, type BytePath } from "../plumbing/paths.ts";
import { absentMode, readRaw, resetEntries, stagedChanges, type RawChange } from "../plumbing/raw-diff.ts";
import { paths as ownPaths } from "../../../layout.ts";
import { removePath } from "../plumbing/remove-path.ts";
import { restoreFiles } from "./restore-files.ts";
import { withWrittenSides } from "./write-both-sides.ts";

/** What a landing changes, path by path. */
export async function changesOf(git: GitCalls, commonDir: string, { from, to }: Landing): Promise<RawChange[]> {
  const command = ["diff-tree", "-r", "--raw", "-z", "--no-renames", "--ignore-submodules=none"];
  return readRaw(await answerOf(git, commonDir, [`--git-dir=${commonDir}`, ...command, from, to, "--"]));
}

interface HalfLanding {
  checkout: Checkout;
  landing: Landing;
  changes: RawChange[];
  /** Where copies of half-written files go; undefined when they can only be git's. */
  backupFolder: string | undefined;
}

/**
 * Undoes what git did in a checkout whose branch did not move: first what is new, then the index, then what was there. A
 * half-written file may also be a person's, who cut its end off: it is copied first. Returns the copies.
 */
export async function takeBack(git: GitCalls, half: HalfLanding): Promise<string[]> {
  const { checkout, landing, changes, backupFolder } = half;
  const { folder } = checkout;
  const addedWork = await findGitWork(git, checkout, landing, changes.filter(isNew));
  const backups = backUp(folder, addedWork.begun, backupFolder);
  for (const path of [...addedWork.whole, ...addedWork.begun]) removePath(folder, path);
  const skipped = await skippedIn(git, folder);
  await resetIndex(git, folder, await indexedByGit(git, half), skipped);
  const existingChanges = changes.filter((change) => !isNew(change) && !skipped.has(change.path));
  const changedWork = await findGitWork(git, checkout, landing, existingChanges);
  backups.push(...backUp(folder, changedWork.begun, backupFolder));
  await restoreFiles(git, folder, [...changedWork.whole, ...changedWork.begun]);
  return backups;
}

/** Copies files, and returns where the copies are. Empty files need no copy. */
function backUp(folder: string, paths: BytePath[], backupFolder: string | undefined): string[] {
  if (backupFolder === undefined) return [];
  return paths.flatMap((path) => {
    const file = diskPath(folder, path);
    if (lstatSync(file).size === 0) return [];
    explainErrors(backupFolder, () => mkdirSync(backupFolder, { recursive: true }));
    const hash = createHash("sha256").update(path).digest("hex").slice(0, 12);
    const copy = ownPaths.mendedFile(backupFolder, hash, displayPath(path));
    explainErrors(copy, () => copyFileSync(file, copy));
    return [copy];
  });
}

interface GitWork {
  whole: BytePath[];
  /** Only a beginning of what git would have written stands there. */
  begun: BytePath[];
}

/** The paths at which git's own work stands, whole or half. */
async function findGitWork(
  git: GitCalls,
  checkout: Checkout,
  { from, to }: Landing,
  changes: RawChange[],
): Promise<GitWork> {
  const { folder } = checkout;
  const states = new Map<RawChange, PathState | undefined>();
  for (const change of changes) states.set(change, stateByHash(folder, change));
  const undecided = changes.filter((change) => states.get(change) === undefined);
  if (undecided.length > 0) {
    await withWrittenSides(git, checkout, { old: from, new: to }, undecided, (expectedContent) => {
      for (const change of undecided) states.set(change, stateByContent(folder, change, expectedContent));
    });
  }
  const pathsIn = (state: PathState): BytePath[] =>
    changes.filter((change) => states.get(change) === state).map(({ path }) => path);
  return { whole: pathsIn("git"), begun: pathsIn("begun") };
}

/** Changes that stand in the index as the merge has them. */
async function indexedByGit(git: GitCalls, half: HalfLanding): Promise<RawChange[]> {
  const differences = await stagedChanges(git, half.checkout.folder, half.landing.from);
  const staged = new Map(differences.map((difference) => [difference.path, difference.new]));
  return half.changes.filter(({ path, new: after }) => {
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
  await resetEntries(git, folder, [...changes.filter(isNew), ...changes.filter((change) => !isNew(change))]);
  const skippedPaths = changes.filter((change) => !isNew(change) && skipped.has(change.path)).map(({ path }) => path);
  if (skippedPaths.length === 0) return;
  await answerOf(git, folder, ["update-index", "--skip-worktree", "-z", "--stdin"], { stdin: joinPaths(skippedPaths) });
}

const isNew = ({ old }: RawChange): boolean => old.mode === absentMode;

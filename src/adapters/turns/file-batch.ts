import {
  closeSync,
  constants,
  fchmodSync,
  fdatasyncSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlinkSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { FilesChanged, type WorkFiles } from "../../app/turn/execution/ports.ts";
import type { PlannedChange } from "../../contract/turn-journal.ts";
import { attempt } from "../../text/attempt.ts";
import { explainErrors, isMissing } from "../files/failure.ts";
import { writeAll } from "../files/regular-file.ts";
import { executionPaths } from "../layout/execution-paths.ts";

/** Changes of files that are made as one. */
export interface FileBatch {
  changes: PlannedChange[];
  folders: string[];
  word: string;
}

interface BatchPlace {
  root: string;
  files: WorkFiles;
  content: (sha256: string) => Uint8Array;
}

/**
 * Makes all changes, or none: every new file is whole and on disk before the first takes its place. Throws `FilesChanged` when a file is
 * not as it was, and what the disk says; all is then as before.
 */
export function applyBatch(place: BatchPlace, batch: FileBatch): void {
  refuseChanged(place, batch.changes);
  try {
    for (const folder of batch.folders) makeFolder(join(place.root, folder));
    for (const [number, change] of batch.changes.entries()) writeAside(place, batch, number, change.path, change.after);
    for (const [number, change] of batch.changes.entries()) putInPlace(place, batch, number, change);
    for (const folder of foldersOf(place.root, batch)) syncFolder(folder);
  } catch (error) {
    takeBackBatch(place, batch);
    throw error;
  }
}

/**
 * Takes back what of a batch was done. A file that is neither as before nor as the batch left it is another's work: it stays, and is
 * returned.
 */
export function takeBackBatch(place: BatchPlace, batch: FileBatch): { restored: string[]; kept: string[] } {
  const restored: string[] = [];
  const kept: string[] = [];
  const numbered = [...batch.changes.entries()].toReversed();
  for (const [number, { path, before, after }] of numbered) {
    remove(asideOf(place, batch, number, path));
    const now = hashAt(place, path);
    if (now === (before?.sha256 ?? null)) continue;
    if (now === undefined || now !== (after?.sha256 ?? null)) {
      kept.push(path);
      continue;
    }
    if (before === null) remove(join(place.root, path));
    else {
      writeAside(place, batch, number, path, before);
      explainErrors(path, () => renameSync(asideOf(place, batch, number, path), join(place.root, path)));
    }
    restored.push(path);
  }
  // A folder that another program put something into stays.
  for (const folder of batch.folders.toReversed()) attempt(() => rmdirSync(join(place.root, folder)), undefined);
  for (const folder of foldersOf(place.root, batch)) attempt(() => syncFolder(folder), undefined);
  return { restored: restored.toReversed(), kept };
}

/** Whether all files are as a batch left them. */
export function isAsApplied(place: BatchPlace, { changes }: Pick<FileBatch, "changes">): boolean {
  return changes.every(({ path, after }) => hashAt(place, path) === (after?.sha256 ?? null));
}

/** Whether nothing of a batch is left. */
export function isAsBefore(place: BatchPlace, { changes }: Pick<FileBatch, "changes">): boolean {
  return changes.every(({ path, before }) => hashAt(place, path) === (before?.sha256 ?? null));
}

function refuseChanged(place: BatchPlace, changes: PlannedChange[]): void {
  const changed = changes.filter(({ path, before }) => hashAt(place, path) !== (before?.sha256 ?? null));
  if (changed.length > 0) throw new FilesChanged(changed.map(({ path }) => path));
}

/** Null when there is no file; undefined for what is no file of its own. */
function hashAt({ files }: BatchPlace, path: string): string | null | undefined {
  const state = files.look(path);
  if (state.kind === "missing") return null;
  return state.kind === "file" ? state.sha256 : undefined;
}

function asideOf({ root }: BatchPlace, { word }: FileBatch, number: number, path: string): string {
  return executionPaths.aside(dirname(join(root, path)), word, number);
}

function writeAside(
  place: BatchPlace,
  batch: FileBatch,
  number: number,
  path: string,
  file: PlannedChange["after"],
): void {
  if (file === null) return;
  const aside = asideOf(place, batch, number, path);
  const bytes = place.content(file.sha256);
  // A link may have come where a folder was.
  if (place.files.folderProblem(dirname(path)) !== undefined) throw new FilesChanged([path]);
  explainErrors(join(place.root, path), () => {
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const fd = openSync(aside, flags, 0o600);
    try {
      writeAll(fd, bytes, null);
      fchmodSync(fd, file.mode);
      fdatasyncSync(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function putInPlace(place: BatchPlace, batch: FileBatch, number: number, { path, before, after }: PlannedChange): void {
  const target = join(place.root, path);
  const aside = asideOf(place, batch, number, path);
  // Another program may have written to it since the batch began.
  refuseChanged(place, [{ path, before, after }]);
  explainErrors(target, () => {
    if (after === null) return unlinkSync(target);
    if (before !== null) return renameSync(aside, target);
    try {
      // A file that came in this moment is not replaced.
      linkSync(aside, target);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EEXIST") throw new FilesChanged([path]);
      // Not every disk has links.
      if (code !== "EPERM" && code !== "ENOTSUP" && code !== "EOPNOTSUPP") throw error;
      return renameSync(aside, target);
    }
    unlinkSync(aside);
  });
}

function makeFolder(path: string): void {
  explainErrors(path, () => {
    try {
      mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    syncFolder(dirname(path));
  });
}

function foldersOf(root: string, { changes, folders }: FileBatch): string[] {
  const all = [...changes.map(({ path }) => path), ...folders];
  return [...new Set(all.map((path) => dirname(join(root, path))))];
}

function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

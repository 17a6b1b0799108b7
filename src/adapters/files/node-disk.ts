import {
  closeSync,
  constants,
  fchmodSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { dirname } from "node:path";
import { explainErrors, explainFailure, isMissing } from "./failure.ts";
import { FileChanged, sameStamp, type Disk, type FileStamp } from "./disk.ts";
import { replacement } from "../layout.ts";
import { openFile } from "./open-file.ts";
import { forWriting, openRegular, readAll, readRange, readRegular, withRegular, writeAll } from "./regular-file.ts";

function stampOf(stats: BigIntStats): FileStamp {
  return { ino: String(stats.ino), size: Number(stats.size), mtimeNs: String(stats.mtimeNs) };
}

function unlessMissing<T>(path: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw explainFailure(error, path);
  }
}

/** Appends all bytes or, when that fails, none; what other programs appended meanwhile stays. */
function appendAll(fd: number, bytes: Uint8Array): void {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written, bytes.length - written, null);
  } catch (error) {
    undoAppend(fd, bytes.subarray(0, written));
    throw error;
  }
}

/** Cuts off what this process has just written, if the file ends in it. */
function undoAppend(fd: number, written: Uint8Array): void {
  const { size } = fstatSync(fd);
  const start = size - written.length;
  if (written.length > 0 && start >= 0 && readRange(fd, start, size).equals(written)) ftruncateSync(fd, start);
}

/**
 * Writes a temporary file beside `path`, which `publish` puts in place. Removes it when something throws. A file of the
 * temporary name was left by a process that died, or is a trap, and is removed first.
 */
function viaTempFile(
  path: string,
  mode: number,
  write: (fd: number) => void,
  publish: (tempPath: string) => void,
): FileStamp {
  const tempPath = replacement.path(path, process.pid);
  try {
    explainErrors(tempPath, () => rmSync(tempPath, { force: true }));
    const stamp = withRegular(tempPath, forWriting | constants.O_CREAT | constants.O_EXCL, mode, (fd) => {
      write(fd);
      return stampOf(fstatSync(fd, { bigint: true }));
    });
    publish(tempPath);
    return stamp;
  } catch (error) {
    unlessMissing(tempPath, () => unlinkSync(tempPath));
    throw error;
  }
}

function syncFolder(path: string): void {
  const fd = explainErrors(path, () => openSync(path, constants.O_RDONLY | constants.O_DIRECTORY));
  try {
    explainErrors(path, () => fsyncSync(fd));
  } finally {
    closeSync(fd);
  }
}

/** Syncs a file or folder while other work goes on. */
function syncLater(path: string, flags: number): Promise<void> {
  const fd = explainErrors(path, () => openSync(path, flags));
  return new Promise((resolve, reject) => {
    fsync(fd, (error) => {
      closeSync(fd);
      if (error) reject(explainFailure(error, path));
      else resolve();
    });
  });
}

function refuseChanged(path: string, stats: BigIntStats | undefined, expected: FileStamp | undefined): void {
  if (expected && !sameStamp(stats && stampOf(stats), expected)) throw new FileChanged(path);
}

/** An editor saved between the check and the append: the append is undone, and the editor's text stays. */
function refuseConcurrentAppend(path: string, fd: number, before: BigIntStats, bytes: Uint8Array): void {
  if (fstatSync(fd).size === Number(before.size) + bytes.length) return;
  undoAppend(fd, bytes);
  throw new FileChanged(path);
}

/** As `withRegular` on a file that must be the expected one, if any is expected. */
function withExpected<T>(
  path: string,
  flags: number,
  mode: number,
  expected: FileStamp | undefined,
  work: (fd: number, stats: BigIntStats) => T,
): T {
  try {
    return withRegular(path, flags, mode, (fd, stats) => {
      refuseChanged(path, stats, expected);
      return work(fd, stats);
    });
  } catch (error) {
    if (expected && isMissing(error)) throw new FileChanged(path);
    throw error;
  }
}

/** How often a file is read again that changes while it is read. */
const maxRetries = 5;

/** The real disk. */
export const nodeDisk: Disk = {
  read: (path, limit) => unlessMissing(path, () => readRegular(path, limit)),

  readStamped: (path, limit) =>
    unlessMissing(path, () => {
      for (let retries = 0; ; retries++) {
        const read = withRegular(path, constants.O_RDONLY, 0, (fd, stats) => {
          const bytes = readAll(fd, stats, path, limit);
          const stamp = stampOf(stats);
          return { bytes, stamp, isWhole: sameStamp(stamp, stampOf(fstatSync(fd, { bigint: true }))) };
        });
        // The stamp was taken before the read, so that a writer that expects it finds out that the file has changed since.
        if (read.isWhole || retries === maxRetries) return read;
      }
    }),

  readRange: (path, start, end, expected) =>
    withExpected(path, constants.O_RDONLY, 0, expected, (fd) => readRange(fd, start, end)),

  stamp: (path) => unlessMissing(path, () => stampOf(statSync(path, { bigint: true }))),

  append: (path, bytes, mode, expected) =>
    withExpected(
      path,
      forWriting | constants.O_APPEND | (mode === undefined ? 0 : constants.O_CREAT),
      mode ?? 0,
      expected,
      (fd, before) => {
        appendAll(fd, bytes);
        if (expected) refuseConcurrentAppend(path, fd, before, bytes);
        if (mode !== undefined && before.size === 0n) syncFolder(dirname(path));
        return stampOf(fstatSync(fd, { bigint: true }));
      },
    ),

  overwrite: (path, bytes, expected) =>
    withExpected(path, forWriting | (expected ? 0 : constants.O_CREAT), 0o644, expected, (fd) => {
      writeAll(fd, bytes, 0);
      return stampOf(fstatSync(fd, { bigint: true }));
    }),

  truncate: (path, size) => withRegular(path, forWriting, 0, (fd) => ftruncateSync(fd, size)),

  replace: (path, bytes, newMode = 0o644, expected) => {
    const mode = unlessMissing(path, () => statSync(path).mode & 0o777);
    const write = (fd: number): void => {
      // The umask applies to a new file's mode; the rights of the old file were given on purpose.
      if (mode !== undefined) fchmodSync(fd, mode);
      for (const piece of Array.isArray(bytes) ? bytes : [bytes]) writeAll(fd, piece, null);
      fdatasyncSync(fd);
    };
    return viaTempFile(path, mode ?? newMode, write, (tempPath) => {
      if (expected) refuseChanged(path, statSync(path, { bigint: true, throwIfNoEntry: false }), expected);
      explainErrors(path, () => renameSync(tempPath, path));
      syncFolder(dirname(path));
    });
  },

  replaceLater: (path, bytes, expected) => {
    const tempPath = replacement.path(path, process.pid);
    const mode = unlessMissing(path, () => statSync(path).mode & 0o777);
    const write = (fd: number): void => {
      if (mode !== undefined) fchmodSync(fd, mode);
      for (const piece of bytes) writeAll(fd, piece, null);
    };
    const stamp = viaTempFile(path, mode ?? 0o644, write, () => undefined);
    const publish = async (): Promise<void> => {
      try {
        await syncLater(tempPath, forWriting);
        if (expected) refuseChanged(path, statSync(path, { bigint: true, throwIfNoEntry: false }), expected);
        explainErrors(path, () => renameSync(tempPath, path));
      } catch (error) {
        unlessMissing(tempPath, () => unlinkSync(tempPath));
        throw error;
      }
      await syncLater(dirname(path), constants.O_RDONLY | constants.O_DIRECTORY);
    };
    return { stamp, written: publish() };
  },

  replaceUnsynced: (path, bytes) => {
    const rename = (tempPath: string): void => explainErrors(path, () => renameSync(tempPath, path));
    viaTempFile(path, 0o600, (fd) => writeAll(fd, bytes, null), rename);
  },

  create: (path, bytes, mode) => {
    const write = (fd: number): void => {
      writeAll(fd, bytes, null);
      fdatasyncSync(fd);
    };
    try {
      viaTempFile(path, mode, write, (tempPath) => {
        linkSync(tempPath, path);
        unlessMissing(tempPath, () => unlinkSync(tempPath));
      });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw explainFailure(error, path);
    }
    syncFolder(dirname(path));
    return true;
  },

  sync: (path) =>
    new Promise((resolve, reject) => {
      const { fd } = openRegular(path, forWriting);
      fdatasync(fd, (error) => {
        closeSync(fd);
        if (error) reject(explainFailure(error, path));
        else resolve();
      });
    }),

  syncNow: (path) => withRegular(path, forWriting, 0, (fd) => fdatasyncSync(fd)),

  open: openFile,

  makeFolder: (path) =>
    explainErrors(path, () => {
      const topmost = mkdirSync(path, { recursive: true });
      if (topmost === undefined) return;
      // A power cut that loses a folder loses the synced files in it, too.
      for (let folder = path; folder.length >= topmost.length; folder = dirname(folder)) syncFolder(dirname(folder));
    }),

  makeNewFolder: (path, isSyncedLater) => {
    try {
      mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw explainFailure(error, path);
    }
    if (!isSyncedLater) syncFolder(dirname(path));
    return true;
  },

  syncFolder: (path) => syncLater(path, constants.O_RDONLY | constants.O_DIRECTORY),

  list: (path) => unlessMissing(path, () => readdirSync(path)) ?? [],

  move: (from, to) => {
    explainErrors(to, () => renameSync(from, to));
    for (const folder of new Set([dirname(to), dirname(from)])) syncFolder(folder);
  },

  remove: (path) => explainErrors(path, () => rmSync(path, { recursive: true, force: true })),
};

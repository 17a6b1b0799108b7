import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
  type BigIntStats,
} from "node:fs";
import { dirname, join, basename } from "node:path";
import { explained, explainFailure, isMissing } from "./failure.ts";

/** What tells whether somebody else wrote to a file since we last did. */
export interface FileStamp {
  ino: string;
  size: number;
  mtimeNs: string;
}

/**
 * The seam under every durable writer. All of Clew's state goes through these few operations, so that a test can put
 * a disk underneath that loses what was not synced, or fails where it hurts most.
 */
export interface Disk {
  /** `undefined` when there is no such file. */
  read(path: string): Buffer | undefined;
  readRange(path: string, start: number, end: number): Buffer;
  stamp(path: string): FileStamp | undefined;
  /**
   * Appends all bytes or, when that fails, none. Not synced. Opens the path anew, because editors and git replace files.
   * `mode` makes the file when it is missing; without it, a missing file is an error.
   */
  append(path: string, bytes: Uint8Array, mode?: number): FileStamp;
  /** Writes over the beginning of a file, in place; makes it when it is missing. Not synced. */
  overwrite(path: string, bytes: Uint8Array): FileStamp;
  /** Takes back the end of a file that this process wrote and did not acknowledge. */
  truncate(path: string, size: number): void;
  /** The whole file anew, from one piece or several: written aside, synced, renamed, the folder synced. `mode` is for one that was not there. */
  replace(path: string, bytes: Uint8Array | Uint8Array[], mode?: number): FileStamp;
  /** The same for what can be made again: not synced, so that a power cut may leave nothing of it. */
  replaceUnsynced(path: string, bytes: Uint8Array): void;
  /** A new file, whole and synced, or false when there is one already; nobody ever sees half of it. */
  create(path: string, bytes: Uint8Array, mode: number): boolean;
  /** Bytes written so far are on disk when this returns. */
  sync(path: string): Promise<void>;
  syncNow(path: string): void;
  /** Keeps a file open; `mode` makes it when it is missing. */
  open(path: string, mode?: number): OpenFile;
  /** Makes the folder and those above it. */
  makeFolder(path: string): void;
  /** False when it was there already. */
  makeNewFolder(path: string): boolean;
  /** Names in a folder; none when it is missing. */
  list(path: string): string[];
  /** Folder or file, gone or not there. */
  remove(path: string): void;
}

/** A file that only one process writes to while it has it open, or only under a lock and in place. */
export interface OpenFile {
  /** Bytes from `start` on; fewer where the file ends. */
  readAt(start: number, end: number): Buffer;
  /** Appends all bytes or, when that fails, none. Not synced. */
  append(bytes: Uint8Array): void;
  /** Writes over its beginning, in place. Not synced. */
  overwrite(bytes: Uint8Array): void;
  /** Bytes written so far are on disk when this resolves. */
  sync(): Promise<void>;
  syncNow(): void;
  /** Whether somebody removed it from its folder. */
  isGone(): boolean;
  close(): void;
}

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

function withFile<T>(path: string, flags: string | number, mode: number, work: (fd: number) => T): T {
  return explained(path, () => {
    const fd = openSync(path, flags, mode);
    try {
      return work(fd);
    } finally {
      closeSync(fd);
    }
  });
}

function writeAll(fd: number, bytes: Uint8Array, position: number | null): void {
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
}

function readRange(fd: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start);
  let done = 0;
  while (done < bytes.length) {
    const got = readSync(fd, bytes, done, bytes.length - done, start + done);
    if (got === 0) break;
    done += got;
  }
  return bytes.subarray(0, done);
}

function asideOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${process.pid}.new`);
}

function syncFolder(path: string): void {
  withFile(path, "r", 0, (fd) => fsyncSync(fd));
}

/** The real disk. */
export const nodeDisk: Disk = {
  read: (path) => unlessMissing(path, () => readFileSync(path)),

  readRange: (path, start, end) => withFile(path, "r", 0, (fd) => readRange(fd, start, end)),

  stamp: (path) => unlessMissing(path, () => stampOf(statSync(path, { bigint: true }))),

  append: (path, bytes, mode) =>
    withFile(path, mode === undefined ? "r+" : "a", mode ?? 0, (fd) => {
      const before = fstatSync(fd, { bigint: true });
      try {
        writeAll(fd, bytes, mode === undefined ? Number(before.size) : null);
      } catch (error) {
        ftruncateSync(fd, Number(before.size));
        throw error;
      }
      if (mode !== undefined && before.size === 0n) syncFolder(dirname(path));
      return stampOf(fstatSync(fd, { bigint: true }));
    }),

  overwrite: (path, bytes) =>
    withFile(path, constants.O_RDWR | constants.O_CREAT, 0o644, (fd) => {
      writeAll(fd, bytes, 0);
      return stampOf(fstatSync(fd, { bigint: true }));
    }),

  truncate: (path, size) => withFile(path, "r+", 0, (fd) => ftruncateSync(fd, size)),

  replace: (path, bytes, newMode = 0o644) => {
    const aside = asideOf(path);
    const mode = unlessMissing(path, () => statSync(path).mode & 0o777) ?? newMode;
    try {
      const stamp = withFile(aside, "w", mode, (fd) => {
        for (const piece of Array.isArray(bytes) ? bytes : [bytes]) writeAll(fd, piece, null);
        fdatasyncSync(fd);
        return stampOf(fstatSync(fd, { bigint: true }));
      });
      explained(path, () => renameSync(aside, path));
      syncFolder(dirname(path));
      return stamp;
    } catch (error) {
      unlessMissing(aside, () => unlinkSync(aside));
      throw error;
    }
  },

  replaceUnsynced: (path, bytes) => {
    const aside = asideOf(path);
    try {
      withFile(aside, "w", 0o600, (fd) => writeAll(fd, bytes, null));
      explained(path, () => renameSync(aside, path));
    } catch (error) {
      unlessMissing(aside, () => unlinkSync(aside));
      throw error;
    }
  },

  create: (path, bytes, mode) => {
    const aside = asideOf(path);
    try {
      withFile(aside, "w", mode, (fd) => {
        writeAll(fd, bytes, null);
        fdatasyncSync(fd);
      });
      linkSync(aside, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw explainFailure(error, path);
    } finally {
      unlessMissing(aside, () => unlinkSync(aside));
    }
    syncFolder(dirname(path));
    return true;
  },

  sync: (path) =>
    new Promise((resolve, reject) => {
      const fd = explained(path, () => openSync(path, "r+"));
      fdatasync(fd, (error) => {
        closeSync(fd);
        if (error) reject(explainFailure(error, path));
        else resolve();
      });
    }),

  syncNow: (path) => withFile(path, "r+", 0, (fd) => fdatasyncSync(fd)),

  open: (path, mode) => {
    const flags = constants.O_RDWR | (mode === undefined ? 0 : constants.O_CREAT);
    const fd = explained(path, () => openSync(path, flags, mode));
    let { size } = fstatSync(fd);
    let isOpen = true;
    /** The number of a closed file is soon another file's. */
    const onOpen = <T>(work: () => T): T => {
      if (!isOpen) throw new Error(`${path} is closed`);
      return explained(path, work);
    };
    return {
      readAt: (start, end) => onOpen(() => readRange(fd, start, end)),
      append: (bytes) =>
        onOpen(() => {
          try {
            writeAll(fd, bytes, size);
          } catch (error) {
            ftruncateSync(fd, size);
            throw error;
          }
          size += bytes.length;
        }),
      overwrite: (bytes) => onOpen(() => writeAll(fd, bytes, 0)),
      sync: () =>
        new Promise((resolve, reject) => {
          onOpen(() => fdatasync(fd, (error) => (error ? reject(explainFailure(error, path)) : resolve())));
        }),
      syncNow: () => onOpen(() => fdatasyncSync(fd)),
      isGone: () => onOpen(() => fstatSync(fd).nlink === 0),
      close: () => {
        if (isOpen) closeSync(fd);
        isOpen = false;
      },
    };
  },

  makeFolder: (path) =>
    explained(path, () => {
      const first = mkdirSync(path, { recursive: true });
      if (first === undefined) return;
      // A synced file in a folder that a power cut forgets is gone all the same.
      for (let made = path; made.length >= first.length; made = dirname(made)) syncFolder(dirname(made));
    }),

  makeNewFolder: (path) => {
    try {
      mkdirSync(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
      throw explainFailure(error, path);
    }
    syncFolder(dirname(path));
    return true;
  },

  list: (path) => unlessMissing(path, () => readdirSync(path)) ?? [],

  remove: (path) => explained(path, () => rmSync(path, { recursive: true, force: true })),
};

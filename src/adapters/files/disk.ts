import { withFallback } from "./failure.ts";

/** Differs as soon as another program has written to the file. */
export interface FileStamp {
  ino: string;
  size: number;
  mtimeNs: string;
}

/** Another program wrote to a file since it was read. The caller reads it again. */
export class FileChanged extends Error {
  override name = "FileChanged";

  constructor(path: string) {
    super(`${path} was changed by another program`);
  }
}

/**
 * The seam under every durable writer. All of Clew's state goes through these operations, so that a test can use a disk
 * that loses what was not synced, or fails at any write. Operations that take an `expected` stamp throw `FileChanged`,
 * with nothing done, when the opened file has another stamp or is missing.
 */
export interface Disk {
  /** Undefined when there is no such file. Throws when it is no plain file, or longer than `limit`. */
  read(path: string, limit?: number): Buffer | undefined;
  /** As `read`, with the stamp of what was read. */
  readStamped(path: string, limit?: number): { bytes: Buffer; stamp: FileStamp } | undefined;
  readRange(path: string, start: number, end: number, expected?: FileStamp): Buffer;
  stamp(path: string): FileStamp | undefined;
  /**
   * Appends all bytes or, when that fails, none; what another program appended meanwhile stays. Not synced. Opens the path
   * each time, because editors and git replace files. With `mode`, a missing file is made; without it, it is an error.
   */
  append(path: string, bytes: Uint8Array, mode?: number, expected?: FileStamp): FileStamp;
  /** Overwrites the beginning of a file, in place; makes a missing file. Not synced. */
  overwrite(path: string, bytes: Uint8Array, expected?: FileStamp): FileStamp;
  /** Cuts off the end of a file that this process wrote and did not acknowledge. */
  truncate(path: string, size: number): void;
  /**
   * Replaces the whole file: writes a temporary file from one piece or several, syncs it, renames it, syncs the folder.
   * The rights stay; `mode` is for a new file.
   */
  replace(path: string, bytes: Uint8Array | Uint8Array[], mode?: number, expected?: FileStamp): FileStamp;
  /**
   * The same in two parts, so that many files are synced at once: all is written when this returns, and in its place and on disk when
   * `written` resolves.
   */
  replaceLater(path: string, bytes: Uint8Array[], expected?: FileStamp): { stamp: FileStamp; written: Promise<void> };
  /** As `replace` for projections: not synced, so that a power cut may lose the file. */
  replaceUnsynced(path: string, bytes: Uint8Array): void;
  /** Makes a new file, whole and synced. False when there is one already. No reader ever sees half of it. */
  create(path: string, bytes: Uint8Array, mode: number): boolean;
  /** Bytes written so far are on disk when this resolves. */
  sync(path: string): Promise<void>;
  syncNow(path: string): void;
  /** Keeps a file open; with `mode`, a missing one is made. */
  open(path: string, mode?: number): OpenFile;
  /** Makes the folder and those above it. */
  makeFolder(path: string): void;
  /** False when it was there already. With `isSyncedLater`, the caller syncs the folder that it stands in. */
  makeNewFolder(path: string, isSyncedLater?: boolean): boolean;
  /** What was made in a folder is on disk when this resolves. */
  syncFolder(path: string): Promise<void>;
  /** Names in a folder; none when it is missing. */
  list(path: string): string[];
  /**
   * Renames a file, over one that is there, or a folder, where none is. Both stand in the same folder or in neighbouring ones, which are
   * synced: the move is on disk when it returns.
   */
  move(from: string, to: string): void;
  /** Removes a file or a folder with its content. Does nothing when it is missing. */
  remove(path: string): void;
}

/** An open file. Only this process writes to it, or only under a lock and in place. */
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
  /** Whether the file was removed from its folder. */
  isGone(): boolean;
  close(): void;
}

export function sameStamp(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

/** Whether anything has that path, also what cannot be read: a link to itself, or a file without rights. */
export function pathExists(disk: Disk, path: string): boolean {
  return withFallback(() => disk.stamp(path) !== undefined, true);
}

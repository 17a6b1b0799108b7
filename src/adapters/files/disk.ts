/** What tells whether somebody else wrote to a file since we last did. */
export interface FileStamp {
  ino: string;
  size: number;
  mtimeNs: string;
}

/** Somebody else wrote to a file since it was looked at. Whoever gets this looks again. */
export class FileChanged extends Error {
  override name = "FileChanged";

  constructor(path: string) {
    super(`${path} was changed by another program`);
  }
}

/**
 * The seam under every durable writer. All of Clew's state goes through these few operations, so that a test can put
 * a disk underneath that loses what was not synced, or fails where it hurts most. Those that take an `expected` stamp
 * throw `FileChanged`, with nothing done, when the file is another one by the time it is open, or gone.
 */
export interface Disk {
  /** `undefined` when there is no such file. What is no plain file, or longer than `limit`, is refused. */
  read(path: string, limit?: number): Buffer | undefined;
  /** As `read`, with what tells that text from any later one. */
  readStamped(path: string, limit?: number): { bytes: Buffer; stamp: FileStamp } | undefined;
  readRange(path: string, start: number, end: number, expected?: FileStamp): Buffer;
  stamp(path: string): FileStamp | undefined;
  /**
   * Appends all bytes or, when that fails, none; what somebody else added meanwhile stays. Not synced. Opens the path anew,
   * because editors and git replace files.
   * `mode` makes the file when it is missing; without it, a missing file is an error.
   */
  append(path: string, bytes: Uint8Array, mode?: number, expected?: FileStamp): FileStamp;
  /** Writes over the beginning of a file, in place; makes it when it is missing. Not synced. */
  overwrite(path: string, bytes: Uint8Array, expected?: FileStamp): FileStamp;
  /** Takes back the end of a file that this process wrote and did not acknowledge. */
  truncate(path: string, size: number): void;
  /** The whole file anew, from one piece or several: written aside, synced, renamed, the folder synced. The rights stay; `mode` is for a file that was not there. */
  replace(path: string, bytes: Uint8Array | Uint8Array[], mode?: number, expected?: FileStamp): FileStamp;
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

export function sameStamp(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  return a !== undefined && b !== undefined && a.ino === b.ino && a.size === b.size && a.mtimeNs === b.mtimeNs;
}

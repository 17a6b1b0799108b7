import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { explained } from "../files/failure.ts";

/** All that the index asks of a file system, one system call or so each, so that tests can stop between any two. */
export interface FileOps {
  exists(path: string): boolean;
  read(path: string): Buffer;
  /** Fills the buffer from the start of the file; gives the number of bytes read. */
  readInto(path: string, buffer: Buffer): number;
  write(path: string, bytes: Buffer): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  list(folder: string): string[];
  makeFolder(path: string): void;
}

export const nodeFiles: FileOps = {
  exists: existsSync,
  read: (path) => readFileSync(path),
  readInto(path, buffer) {
    const file = openSync(path, "r");
    try {
      return readSync(file, buffer, 0, buffer.length, 0);
    } finally {
      closeSync(file);
    }
  },
  write: (path, bytes) => explained(path, () => writeFileSync(path, bytes)),
  rename: (from, to) => explained(to, () => renameSync(from, to)),
  remove: (path) => explained(path, () => rmSync(path, { recursive: true, force: true })),
  list: (folder) => explained(folder, () => readdirSync(folder)),
  makeFolder: (path) => void explained(path, () => mkdirSync(path, { recursive: true })),
};

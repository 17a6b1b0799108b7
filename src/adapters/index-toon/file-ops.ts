import {
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { explainErrors } from "../files/failure.ts";
import { readRegular, withRegular } from "../files/regular-file.ts";

/** The file operations of the index, about one system call each, so that tests can stop between any two. */
export interface FileOps {
  exists(path: string): boolean;
  read(path: string): Buffer;
  /** Fills the buffer from the start of the file; returns the number of bytes read. */
  readInto(path: string, buffer: Buffer): number;
  write(path: string, bytes: Buffer): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  list(folder: string): string[];
  makeFolder(path: string): void;
}

export const nodeFiles: FileOps = {
  exists: existsSync,
  read: (path) => readRegular(path),
  readInto(path, buffer) {
    return withRegular(path, constants.O_RDONLY, 0, (fd) => readSync(fd, buffer, 0, buffer.length, 0));
  },
  write: (path, bytes) => explainErrors(path, () => writeFileSync(path, bytes)),
  rename: (from, to) =>
    explainErrors(to, () => {
      // The index can be made again: a folder in the place of a file is removed.
      if (statSync(to, { throwIfNoEntry: false })?.isDirectory()) rmSync(to, { recursive: true, force: true });
      renameSync(from, to);
    }),
  remove: (path) => explainErrors(path, () => rmSync(path, { recursive: true, force: true })),
  list: (folder) => explainErrors(folder, () => readdirSync(folder)),
  makeFolder: (path) => void explainErrors(path, () => mkdirSync(path, { recursive: true })),
};

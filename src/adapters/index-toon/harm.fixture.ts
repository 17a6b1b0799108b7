import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FileOps, nodeFiles } from "./file-ops.ts";

/** Gives the work fresh folders and takes them away afterwards. */
export function inFolders(work: (newFolder: () => string) => void): void {
  const root = mkdtempSync(join(tmpdir(), "clew-index-"));
  let count = 0;
  try {
    work(() => join(root, `index-${(count += 1)}`));
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** All files below a folder with their content. */
export function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")]));
}

/** Ways to harm a file, at a place between 0 (its start) and 1 (its end). */
export const harms: Record<string, (path: string, place: number, other: string) => void> = {
  flip(path, place) {
    const bytes = readFileSync(path);
    const at = Math.floor(place * (bytes.length - 1));
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (Math.floor(place * 1e6) % 8));
    writeFileSync(path, bytes);
  },
  truncate: (path, place) => truncateSync(path, Math.floor(place * readFileSync(path).length)),
  dropLine(path, place) {
    const lines = readFileSync(path, "utf8").split("\n");
    lines.splice(Math.floor(place * lines.length), 1);
    writeFileSync(path, lines.join("\n"));
  },
  zero(path, place) {
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, Math.floor(place * bytes.length)));
  },
  remove: (path) => rmSync(path),
  append: (path) => appendFileSync(path, "\n  x,y\n"),
  replace: (path, _, other) => writeFileSync(path, readFileSync(other)),
};

export class Killed extends Error {}

/** A file system under a process that is killed at its n-th change; a write it is killed in leaves a part behind. */
export class DeadlyFiles implements FileOps {
  readonly exists = nodeFiles.exists.bind(nodeFiles);
  readonly read = nodeFiles.read.bind(nodeFiles);
  readonly readInto = nodeFiles.readInto.bind(nodeFiles);
  readonly list = nodeFiles.list.bind(nodeFiles);
  #left: number;

  constructor(changesLeft: number) {
    this.#left = changesLeft;
  }

  write(path: string, bytes: Buffer): void {
    if (this.#left === 0) nodeFiles.write(path, bytes.subarray(0, bytes.length / 2));
    this.#change(() => nodeFiles.write(path, bytes));
  }

  rename(from: string, to: string): void {
    this.#change(() => nodeFiles.rename(from, to));
  }

  remove(path: string): void {
    this.#change(() => nodeFiles.remove(path));
  }

  makeFolder(path: string): void {
    this.#change(() => nodeFiles.makeFolder(path));
  }

  #change(work: () => void): void {
    if (this.#left === 0) throw new Killed();
    this.#left -= 1;
    work();
  }
}

/** A file system on which something else happens just before the n-th read of a shard. */
export function interruptedFiles(reads: number, happens: () => void): FileOps {
  let left = reads;
  return {
    ...nodeFiles,
    readInto(path, buffer) {
      if (left === 0) happens();
      left -= 1;
      return nodeFiles.readInto(path, buffer);
    },
  };
}

import type { FileOps } from "./file-ops.ts";

/** Reads files from disk and writes to memory, for readers on a disk that cannot be written. */
export function memoryOver(files: FileOps): FileOps {
  /** Null for a removed file. */
  const written = new Map<string, Buffer | null>();
  const read = (path: string): Buffer => {
    const content = written.get(path);
    if (content === null) throw Object.assign(new Error(`${path} is gone`), { code: "ENOENT" });
    return content ?? files.read(path);
  };
  return {
    exists: (path) => (written.has(path) ? written.get(path) !== null : files.exists(path)),
    read,
    readInto: (path, buffer) => (written.has(path) ? read(path).copy(buffer) : files.readInto(path, buffer)),
    write: (path, bytes) => void written.set(path, Buffer.from(bytes)),
    rename(from, to) {
      written.set(to, read(from));
      written.set(from, null);
    },
    remove: (path) => void written.set(path, null),
    // No writer leaves files in memory.
    list: () => [],
    makeFolder: () => undefined,
  };
}

import type { FileOps } from "./file-ops.ts";

/** Files that are read as they are on disk, while all that is written stays in memory: for readers where nothing can be written. */
export function memoryOver(files: FileOps): FileOps {
  /** Null for what was removed. */
  const kept = new Map<string, Buffer | null>();
  const read = (path: string): Buffer => {
    const own = kept.get(path);
    if (own === null) throw Object.assign(new Error(`${path} is gone`), { code: "ENOENT" });
    return own ?? files.read(path);
  };
  return {
    exists: (path) => (kept.has(path) ? kept.get(path) !== null : files.exists(path)),
    read,
    readInto: (path, buffer) => (kept.has(path) ? read(path).copy(buffer) : files.readInto(path, buffer)),
    write: (path, bytes) => void kept.set(path, Buffer.from(bytes)),
    rename(from, to) {
      kept.set(to, read(from));
      kept.set(from, null);
    },
    remove: (path) => void kept.set(path, null),
    // Nobody leaves anything behind in memory.
    list: () => [],
    makeFolder: () => undefined,
  };
}

import { FileChanged, sameStamp, type Disk, type FileStamp, type OpenFile } from "../../src/adapters/files/disk.ts";

interface MemoryFile {
  bytes: Buffer;
  /** What a power cut leaves at least. */
  synced: Buffer;
  ino: number;
  time: number;
}

export class Crash extends Error {
  override name = "Crash";
}

/**
 * A disk that forgets. What was not synced may be there, may be gone, or may be there in part after a power cut; a kill
 * keeps it all. It can be told to break at its n-th change, before or in the middle of it.
 */
export class MemoryDisk implements Disk {
  private readonly files = new Map<string, MemoryFile>();
  private readonly folders = new Set<string>();
  private clock = 0;
  private changesLeft = Infinity;
  private partOfLast = 0;

  /** The n-th change from now does only `part` of its work (0: nothing), then everything stops. */
  breakAfter(changes: number, part: number): void {
    this.changesLeft = changes;
    this.partOfLast = part;
  }

  /** The program is dead; the machine is not. */
  kill(): void {
    this.changesLeft = Infinity;
  }

  /** `chance` decides, for each file, how much of what was not synced is still there (0 to 1). */
  cutPower(chance: () => number): void {
    this.changesLeft = Infinity;
    for (const file of this.files.values()) {
      const kept = chance();
      const grown = file.bytes.length - file.synced.length;
      const unchanged = file.bytes.subarray(0, file.synced.length).equals(file.synced);
      if (grown >= 0 && unchanged) file.bytes = file.bytes.subarray(0, file.synced.length + Math.floor(grown * kept));
      else if (kept < 0.5) file.bytes = file.synced;
      file.synced = file.bytes;
    }
  }

  read = (path: string): Buffer | undefined => this.files.get(path)?.bytes;
  readStamped = (path: string): { bytes: Buffer; stamp: FileStamp } | undefined => {
    const file = this.files.get(path);
    return file && { bytes: file.bytes, stamp: this.stamp(path)! };
  };
  readRange = (path: string, start: number, end: number, expected?: FileStamp): Buffer => {
    this.refuseChanged(path, expected);
    return this.file(path).bytes.subarray(start, end);
  };
  stamp = (path: string): FileStamp | undefined => {
    const file = this.files.get(path);
    return file && { ino: String(file.ino), size: file.bytes.length, mtimeNs: String(file.time) };
  };

  append(path: string, bytes: Uint8Array, mode?: number, expected?: FileStamp): FileStamp {
    this.refuseChanged(path, expected);
    if (mode !== undefined && !this.files.has(path)) this.make(path);
    const file = this.file(path);
    this.change(bytes.length, (count) => {
      file.bytes = Buffer.concat([file.bytes, bytes.subarray(0, count)]);
      file.time = ++this.clock;
    });
    return this.stamp(path)!;
  }

  overwrite(path: string, bytes: Uint8Array, expected?: FileStamp): FileStamp {
    this.refuseChanged(path, expected);
    if (!this.files.has(path)) this.make(path);
    const file = this.file(path);
    this.change(1, (count) => {
      if (count === 0) return;
      file.bytes = Buffer.concat([bytes, file.bytes.subarray(bytes.length)]);
      file.time = ++this.clock;
    });
    return this.stamp(path)!;
  }

  truncate(path: string, size: number): void {
    const file = this.file(path);
    this.change(1, (count) => {
      if (count > 0) file.bytes = file.bytes.subarray(0, size);
    });
  }

  replace(path: string, pieces: Uint8Array | Uint8Array[], _mode?: number, expected?: FileStamp): FileStamp {
    this.refuseChanged(path, expected);
    const bytes = Array.isArray(pieces) ? Buffer.concat(pieces) : pieces;
    this.change(1, (count) => {
      if (count === 0) return;
      const whole = Buffer.from(bytes);
      this.files.set(path, { bytes: whole, synced: whole, ino: ++this.clock, time: ++this.clock });
    });
    return this.stamp(path)!;
  }

  replaceLater(path: string, bytes: Uint8Array[], expected?: FileStamp): { stamp: FileStamp; written: Promise<void> } {
    return { stamp: this.replace(path, bytes, undefined, expected), written: Promise.resolve() };
  }

  replaceUnsynced(path: string, bytes: Uint8Array): void {
    this.change(1, (count) => {
      if (count === 0) return;
      const whole = Buffer.from(bytes);
      this.files.set(path, { bytes: whole, synced: Buffer.alloc(0), ino: ++this.clock, time: ++this.clock });
    });
  }

  create(path: string, bytes: Uint8Array): boolean {
    if (this.files.has(path)) return false;
    this.replace(path, bytes);
    return true;
  }

  async sync(path: string): Promise<void> {
    this.syncNow(path);
  }

  syncNow(path: string): void {
    const file = this.file(path);
    this.change(1, (count) => {
      if (count > 0) file.synced = file.bytes;
    });
  }

  open(path: string, mode?: number): OpenFile {
    if (mode !== undefined && !this.files.has(path)) this.make(path);
    const { ino } = this.file(path);
    return {
      readAt: (start, end) => this.readRange(path, start, end),
      append: (bytes) => void this.append(path, bytes),
      overwrite: (bytes) => void this.overwrite(path, bytes),
      sync: () => this.sync(path),
      syncNow: () => this.syncNow(path),
      isGone: () => this.files.get(path)?.ino !== ino,
      close: () => undefined,
    };
  }

  makeFolder(path: string): void {
    this.folders.add(path);
  }

  makeNewFolder(path: string): boolean {
    if (this.folders.has(path)) return false;
    this.folders.add(path);
    return true;
  }

  async syncFolder(): Promise<void> {}

  list(path: string): string[] {
    const inside = [...this.files.keys(), ...this.folders].filter((each) => each.startsWith(`${path}/`));
    return [...new Set(inside.map((each) => each.slice(path.length + 1).split("/")[0]!))];
  }

  move(from: string, to: string): void {
    this.change(1, (count) => {
      if (count === 0) return;
      const isIn = (path: string): boolean => path === from || path.startsWith(`${from}/`);
      const moved = (path: string): string => to + path.slice(from.length);
      for (const [path, file] of [...this.files].filter(([each]) => isIn(each))) {
        this.files.delete(path);
        this.files.set(moved(path), file);
      }
      for (const folder of [...this.folders].filter(isIn)) {
        this.folders.delete(folder);
        this.folders.add(moved(folder));
      }
    });
  }

  remove(path: string): void {
    for (const each of this.files.keys()) if (each === path || each.startsWith(`${path}/`)) this.files.delete(each);
    this.folders.delete(path);
  }

  private refuseChanged(path: string, expected: FileStamp | undefined): void {
    if (expected && !sameStamp(this.stamp(path), expected)) throw new FileChanged(path);
  }

  private make(path: string): void {
    this.files.set(path, { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), ino: ++this.clock, time: ++this.clock });
  }

  private file(path: string): MemoryFile {
    const file = this.files.get(path);
    if (!file) throw Object.assign(new Error(`ENOENT: ${path}`), { code: "ENOENT" });
    return file;
  }

  private change(size: number, apply: (count: number) => void): void {
    if (this.changesLeft === 0) throw new Crash("already dead");
    if (--this.changesLeft === 0) {
      apply(Math.floor(size * this.partOfLast));
      throw new Crash("now");
    }
    apply(size);
  }
}

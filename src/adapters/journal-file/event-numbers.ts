import { dirname, join } from "node:path";
import { ClewError } from "../../contract/errors.ts";
import type { Disk, OpenFile } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import { rawLines } from "./journal-lines.ts";

/** Which line bears the last number that was given out, or was about to. */
interface NumberRecord {
  n: number;
  run: string;
  offset: number;
  boot: string;
}

/** Always the same length, so that it is written over in place. */
const recordBytes = 320;
const tailBytes = 64 * 1024;
const newline = 0x0a;

interface Parts {
  disk: Disk;
  locks: () => Promise<Locks>;
  /** The folder of all journals. */
  folder: string;
  /** The file that holds the last number. */
  file: string;
  boot: string;
}

/**
 * Numbers events over all runs of a repository, without gaps and never twice, whoever dies when. Before a line is written,
 * a record says which number it will bear and where it will stand; whoever comes next looks whether it is there, and
 * takes the same number again if it is not. After a start of the machine the journals themselves are asked: a power cut
 * may have taken the record, or lines that were never synced.
 */
export class EventNumbers {
  readonly #parts: Parts;
  /** What this process wrote last, whose line is known to be there. */
  #lastWrite: { record: string; n: number } | undefined;
  #file: OpenFile | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Gives the next number to `write`, which puts it at the end of the journal of `run` and must not wait; it
   * returns false when it did not. */
  async assign<T>(run: string, endOf: () => number, write: (n: number) => T): Promise<T> {
    const { locks, boot } = this.#parts;
    return (await locks()).with("events", () => {
      const file = this.#open();
      const text = file.readAt(0, recordBytes).toString("latin1");
      const n = this.#next(text);
      const record = `${JSON.stringify({ n, run, offset: endOf(), boot } satisfies NumberRecord)}\n`.padStart(
        recordBytes,
      );
      file.overwrite(Buffer.from(record, "latin1"));
      const result = write(n);
      // Only a line that is known to be there need not be looked for.
      if (result !== false) this.#lastWrite = { record, n };
      return result;
    });
  }

  /** Every process must write to the same file, also when somebody removed it and another made it anew. */
  #open(): OpenFile {
    const { disk, file } = this.#parts;
    if (this.#file?.isGone()) this.#close();
    if (!this.#file) {
      disk.makeFolder(dirname(file));
      this.#file = disk.open(file, 0o600);
    }
    return this.#file;
  }

  #close(): void {
    this.#file?.close();
    this.#file = undefined;
  }

  #next(text: string): number {
    if (text === this.#lastWrite?.record) return this.#lastWrite.n + 1;
    const lastRecord = parse(text);
    if (lastRecord?.boot !== this.#parts.boot) return this.#highest() + 1;
    return this.#isThere(lastRecord) ? lastRecord.n + 1 : lastRecord.n;
  }

  /** Whether the line with that number stands where it should, to its end. */
  #isThere({ n, run, offset }: NumberRecord): boolean {
    const path = this.#journal(run);
    if ((this.#parts.disk.stamp(path)?.size ?? 0) <= offset) return false;
    const { value: line } = rawLines(this.#parts.disk, path, offset).next();
    return line?.offset === offset && numberOf(line.text) === n;
  }

  #highest(): number {
    const { disk, folder } = this.#parts;
    const journals = disk.list(folder).filter((name) => name.endsWith(".jsonl") && !name.startsWith("."));
    return journals.reduce((highest, name) => Math.max(highest, this.#lastIfReadable(join(folder, name))), 0);
  }

  /** A journal that cannot be read keeps no other run from its numbers. */
  #lastIfReadable(path: string): number {
    try {
      return this.#last(path);
    } catch (error) {
      if (error instanceof ClewError) return 0;
      throw error;
    }
  }

  /** The last number in one journal, which stands near its end. */
  #last(path: string): number {
    const { disk } = this.#parts;
    const size = disk.stamp(path)?.size ?? 0;
    const start = Math.max(0, size - tailBytes);
    const tail = disk.readRange(path, start, size);
    const from = start === 0 ? 0 : start + tail.indexOf(newline) + 1;
    const last = lastNumber(disk, path, from);
    return last > 0 || start === 0 ? last : lastNumber(disk, path, 0);
  }

  #journal(run: string): string {
    return join(this.#parts.folder, `${run}.jsonl`);
  }
}

function lastNumber(disk: Disk, path: string, from: number): number {
  let last = 0;
  for (const { text } of rawLines(disk, path, from)) last = numberOf(text) ?? last;
  return last;
}

/** The number of a line, without reading all of it. */
export function numberOf(text: string): number | undefined {
  const digits = /^\{"type":"[^"]*","n":(\d+),/.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function parse(text: string): NumberRecord | undefined {
  try {
    return JSON.parse(text) as NumberRecord;
  } catch {
    return undefined;
  }
}

import { dirname, join } from "node:path";
import type { Disk, OpenFile } from "../files/disk.ts";
import { withFallback } from "../files/failure.ts";
import type { Locks } from "../files/lock.ts";
import { runIdPattern } from "../../contract/run.ts";
import { runPaths } from "../layout/run-paths.ts";
import { parseJson } from "../../text/parse-json.ts";
import { eventNumberIn, journalEnd } from "./journal-events.ts";
import { rawLines } from "./journal-lines.ts";

/** The last number that was assigned, or was about to be, and the place of its line. */
interface NumberRecord {
  n: number;
  run: string;
  offset: number;
  boot: string;
}

/** Always the same length, so that it is written over in place. */
const recordBytes = 320;

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
 * Numbers events over all runs of a repository, without gaps and never twice, whichever process dies at any time. Before a
 * line is written, a record says which number it gets and where; the next process checks whether the line is there, and
 * assigns the same number again if it is not. After a start of the machine the journals themselves are read: a power cut
 * may have lost the record, or lines that were never synced.
 */
export class EventNumbers {
  readonly #parts: Parts;
  /** The last record of this process, whose line is known to be in its journal. */
  #lastWrite: { record: string; n: number } | undefined;
  #file: OpenFile | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Calls `write` with the next number. It must write the line at the end of the journal of `run`, without waiting, or
   * return false.
   */
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
      // The next call need not look for a line that was written.
      if (result !== false) this.#lastWrite = { record, n };
      return result;
    });
  }

  /** All processes must write to the same file, also after it was removed and made again. */
  #open(): OpenFile {
    const { disk, file } = this.#parts;
    if (this.#file?.isGone()) {
      this.#file.close();
      this.#file = undefined;
    }
    if (!this.#file) {
      disk.makeFolder(dirname(file));
      this.#file = disk.open(file, 0o600);
    }
    return this.#file;
  }

  #next(text: string): number {
    if (text === this.#lastWrite?.record) return this.#lastWrite.n + 1;
    const lastRecord = parseJson(text) as NumberRecord | undefined;
    if (lastRecord?.boot !== this.#parts.boot) return this.#highest() + 1;
    return this.#isThere(lastRecord) ? lastRecord.n + 1 : lastRecord.n;
  }

  /** Whether the whole line with that number is in its place. */
  #isThere({ n, run, offset }: NumberRecord): boolean {
    if (!runIdPattern.test(run)) return false;
    const path = runPaths.journal({ journals: this.#parts.folder }, run);
    if ((this.#parts.disk.stamp(path)?.size ?? 0) <= offset) return false;
    const { value: line } = rawLines(this.#parts.disk, path, offset).next();
    return line?.offset === offset && eventNumberIn(line.text) === n;
  }

  #highest(): number {
    const { disk, folder } = this.#parts;
    const journals = disk.list(folder).filter((name) => runPaths.idOfJournal(name) !== undefined);
    // A journal that cannot be read must not stop the other runs.
    const lastNumbers = journals.map((name) => withFallback(() => journalEnd(disk, join(folder, name)).n, 0));
    return lastNumbers.reduce((highest, n) => Math.max(highest, n), 0);
  }
}

import { dirname } from "node:path";
import { endedRun, type EndedRun } from "../../contract/run-snapshot.ts";
import type { RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";
import { attempt } from "../../text/attempt.ts";

/**
 * The runs that ended, one line each, so that lists read no journal. A projection: a line is appended when a run ends, and
 * when a reader finds that one is missing or unreadable. Of several lines for one run, the last counts.
 */
export class EndedRuns {
  readonly #disk: Disk;
  readonly #file: string;
  #rows = new Map<string, EndedRun>();
  /** How far the file was read. */
  #read = { ino: "", size: 0 };

  constructor(disk: Disk, file: string) {
    this.#disk = disk;
    this.#file = file;
  }

  /** By id. Empty when the file cannot be read. */
  all(): ReadonlyMap<string, EndedRun> {
    try {
      this.#readOn();
    } catch {
      this.#rows = new Map();
      this.#read = { ino: "", size: 0 };
    }
    return this.#rows;
  }

  /** Not synced: a lost line is appended again later. Throws when the file cannot be written. */
  add(ended: EndedRun[]): void {
    const lines = ended.map((each) => `${JSON.stringify(each)}\n`).join("");
    this.#disk.makeFolder(dirname(this.#file));
    // The first line end closes a line that a crash cut short.
    this.#disk.append(this.#file, Buffer.from(`\n${lines}`), 0o600);
  }

  /** Reads what was appended since the last call. */
  #readOn(): void {
    const stamp = this.#disk.stamp(this.#file);
    if (!stamp || stamp.ino !== this.#read.ino || stamp.size < this.#read.size) {
      this.#rows = new Map();
      this.#read = { ino: stamp?.ino ?? "", size: 0 };
    }
    if (!stamp || stamp.size === this.#read.size) return;
    const text = this.#disk.readRange(this.#file, this.#read.size, stamp.size).toString("utf8");
    const end = text.lastIndexOf("\n") + 1;
    for (const line of text.slice(0, end).split("\n")) {
      const row = line === "" ? undefined : parseRow(line);
      if (row) this.#rows.set(row.id, row);
    }
    this.#read.size += Buffer.byteLength(text.slice(0, end));
  }
}

function parseRow(line: string): EndedRun | undefined {
  return attempt(() => endedRun.parse(JSON.parse(line)), undefined);
}

/** Undefined while the run is not over. */
export function endedRow(state: RunState, journal_bytes: number): EndedRun | undefined {
  const { id, bead_id, bead_title, grimoire, status, progress, started, updated, usage } = state;
  if (status !== "completed" && status !== "cancelled") return undefined;
  const ended = state.ended ?? updated;
  const used = usage.input_tokens + usage.output_tokens > 0 && { usage };
  return { id, bead_id, bead_title, grimoire, status, progress, started, updated, ended, ...used, journal_bytes };
}

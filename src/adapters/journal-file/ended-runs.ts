import { dirname } from "node:path";
import { endedRun, type EndedRun } from "../../contract/run-snapshot.ts";
import type { JournalWatch } from "../../app/run/event-tail.ts";
import type { RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";
import { ifPossible } from "../files/failure.ts";
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
  /** Tells a process that lives long which journals are written to. */
  readonly #watch: Pick<JournalWatch, "take"> | undefined;
  /** What was found last by a process that watches; `rows` are those of that time. */
  #found: { ids: readonly string[]; rows: ReadonlyMap<string, EndedRun>; ended: Map<string, EndedRun> } | undefined;

  constructor(disk: Disk, file: string, watch?: Pick<JournalWatch, "take">) {
    this.#disk = disk;
    this.#file = file;
    this.#watch = watch;
  }

  /**
   * Those among these runs that are over, by id. Each is compared with its journal; a process that watches the journals
   * compares one again when it was written to.
   */
  among(ids: readonly string[], journals: EndedJournals): ReadonlyMap<string, EndedRun> {
    const written = new Set(this.#watch?.take());
    const rows = this.#readRows();
    const last = this.#found;
    if (last?.rows === rows && last.ids === ids && written.size === 0) return last.ended;
    const ended = new Map<string, EndedRun>();
    const missing: EndedRun[] = [];
    for (const id of ids) {
      const row = rows.get(id);
      const isCompared = row && !written.has(id) && last?.ended.get(id) === row;
      const current = isCompared || row?.journal_bytes === journals.size(id) ? row : journals.endedRun(id);
      if (current) ended.set(id, current);
      if (current && current !== row) missing.push(current);
    }
    if (missing.length > 0) ifPossible(() => this.add(missing));
    if (this.#watch) this.#found = { ids, rows, ended };
    return ended;
  }

  /** Not synced: a lost line is appended again later. Throws when the file cannot be written. */
  add(ended: EndedRun[]): void {
    const lines = ended.map((each) => `${JSON.stringify(each)}\n`).join("");
    this.#disk.makeFolder(dirname(this.#file));
    // The first line end closes a line that a crash cut short.
    this.#disk.append(this.#file, Buffer.from(`\n${lines}`), 0o600);
  }

  /** The rows of the file, by id: the same map until lines are added. Empty when the file cannot be read. */
  #readRows(): ReadonlyMap<string, EndedRun> {
    try {
      this.#readOn();
    } catch {
      this.#rows = new Map();
      this.#read = { ino: "", size: 0 };
    }
    return this.#rows;
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
    const rows = new Map(this.#rows);
    for (const line of text.slice(0, end).split("\n")) {
      const row = line === "" ? undefined : parseRow(line);
      if (row) rows.set(row.id, row);
    }
    this.#rows = rows;
    this.#read.size += Buffer.byteLength(text.slice(0, end));
  }
}

/** What is asked of the journals of runs. */
interface EndedJournals {
  size: (id: string) => number;
  /** The row of a run by its journal; undefined when it is not over. */
  endedRun: (id: string) => EndedRun | undefined;
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

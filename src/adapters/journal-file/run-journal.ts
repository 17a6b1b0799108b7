import { ClewError } from "../../contract/errors.ts";
import type { StoredResult } from "../../contract/run-fields.ts";
import { journalLine, type JournalLine, type RunEvent } from "../../contract/run-journal.ts";
import type { Outcome, Preparation, StepAddress, StepResult } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { RunDigest } from "../../contract/run-digest.ts";
import { ofRedactedParts, type Redacted } from "../../contract/redacted.ts";
import type { NewEvent, NewLine } from "../../run/host-events.ts";
import { DigestFold, isDigested } from "../../run/run-digest.ts";
import { foldLine, startState, type RunState } from "../../run/run-state.ts";
import type { Disk, OpenFile } from "../files/disk.ts";
import type { EventNumbers } from "./event-numbers.ts";
import { isReplayed, JournalIndex, type Completed } from "./journal-index.ts";
import { isKnownType, parseLine, rawLines, tornMark, lineTypeIn } from "./journal-lines.ts";
import type { OutputFiles } from "./output-files.ts";

const newline = 0x0a;

export interface JournalParts {
  disk: Disk;
  numbers: EventNumbers;
  outputs: OutputFiles;
  nowIso: () => string;
  /** Whether this process drives no other run. */
  isOnlyRun: () => boolean;
  /** The digest of the journal's beginning, if there is one. */
  digest: RunDigest | undefined;
  /** Called with every line, once it is written. */
  onLine: (line: JournalLine) => void;
}

/** One run's journal while this process drives the run. */
export class RunJournal {
  readonly index = new JournalIndex();
  readonly digest: DigestFold;
  readonly state: RunState;
  readonly pinned: PinnedRun;
  readonly runId: string;
  readonly outputs: OutputFiles;
  readonly #parts: JournalParts;
  readonly #file: OpenFile;
  #size: number;

  /** Reads the journal and closes a torn end. Only the holder of the run's lock may do this. */
  constructor(runId: string, path: string, parts: JournalParts) {
    this.runId = runId;
    this.outputs = parts.outputs;
    this.#parts = parts;
    this.digest = new DigestFold(runId, parts.digest);
    const digestedBytes = parts.digest?.journal_bytes ?? 0;
    let state: RunState | undefined;
    let pinned: PinnedRun | undefined;
    let size = 0;
    for (const raw of rawLines(parts.disk, path)) {
      size = raw.offset + raw.bytes;
      // Most lines of a long run are output of agents and scripts, which replay does not need.
      const type = lineTypeIn(raw.text);
      const isNew = raw.offset >= digestedBytes;
      if (isKnownType(type) && !isReplayed(type) && !(isNew && isDigested(type))) continue;
      const line = parseLine(raw, parts.disk, path);
      if (!line) continue;
      if (line.type === "workflow.started") {
        state = startState(line);
        pinned = line.pinned;
      }
      if (state) foldLine(state, line);
      this.index.add(line, raw);
      if (isNew) this.digest.add(line, raw);
    }
    if (!state || !pinned) throw damaged(path);
    this.#file = parts.disk.open(path);
    this.state = state;
    this.pinned = pinned;
    this.#size = size;
    try {
      this.#closeTornTail(path);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  get bytes(): number {
    return this.#size;
  }

  /** The outcome of an attempt or, with `kind`, of a preparation for it. */
  outcome(address: StepAddress, kind?: Preparation["kind"]): Outcome | undefined {
    const completion = this.index.completed(address, kind);
    if (!completion) return undefined;
    const line = "type" in completion ? completion : this.#readAgain(completion);
    if (line.status === "skipped") return { kind: "skipped" };
    if (line.stopped === "cancelled") return { kind: "cancelled" };
    const storedResult = (): StepResult => this.outputs.load(resultOf(line));
    if (line.stopped !== "timeout") return { kind: "done", result: storedResult() };
    // Without `success`, no work was begun.
    return { kind: "timeout", scope: line.scope ?? null, ...(line.success !== undefined && { given: storedResult() }) };
  }

  /** Writes an event with the next number. Not synced. */
  async event(event: Redacted<NewEvent>): Promise<void> {
    await this.#parts.numbers.assign(
      this.runId,
      () => this.#size,
      (n) => {
        const { type, ...rest } = event;
        this.#append({ type, n, at: this.#parts.nowIso(), ...rest } as RunEvent);
      },
    );
  }

  /** Writes a line that is no event. Not synced. */
  line(line: Redacted<NewLine>): void {
    const { type, ...rest } = line;
    this.#append({ type, at: this.#parts.nowIso(), ...rest } as JournalLine);
  }

  /** All that was written so far is on disk when this resolves. */
  async sync(): Promise<void> {
    // With no other run in this process, a thread for the sync would only cost time.
    if (this.#parts.isOnlyRun()) this.#file.syncNow();
    else await this.#file.sync();
  }

  syncNow(): void {
    this.#file.syncNow();
  }

  close(): void {
    this.#file.close();
  }

  #append(newLine: JournalLine): void {
    const line = journalLine.parse(newLine);
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    const offset = this.#size;
    this.#file.append(bytes);
    this.#size += bytes.length;
    this.index.add(line, { offset, bytes: bytes.length });
    this.digest.add(line, { offset, bytes: bytes.length });
    foldLine(this.state, line);
    this.#parts.onLine(line);
  }

  #readAgain({ offset, bytes }: { offset: number; bytes: number }): Completed {
    const text = this.#file.readAt(offset, offset + bytes - 1).toString("utf8");
    return JSON.parse(text) as Completed;
  }

  /** Closes a torn last line, never cuts it, and writes a line about it. */
  #closeTornTail(path: string): void {
    const { size } = this.#parts.disk.stamp(path)!;
    if (size > 0 && this.#file.readAt(size - 1, size)[0] !== newline) {
      const mark = Buffer.from(`${tornMark}\n`);
      this.#file.append(mark);
      const bytes = size - this.#size;
      this.#size = size + mark.length;
      this.line(ofRedactedParts({ type: "run.torn", bytes }));
    } else this.#size = size;
  }
}

/** The part of a completion that is the step's result. */
function resultOf({ success = false, ...line }: Completed): StoredResult {
  const result: StoredResult = { success };
  for (const field of resultFields) if (line[field] !== undefined) Object.assign(result, { [field]: line[field] });
  return result;
}

const resultFields = [
  "output",
  "output_file",
  "exit_code",
  "summary",
  "outputs",
  "outputs_file",
  "stderr",
  "stderr_file",
  "error",
  "usage",
  "rounds",
  "tree",
  "permission",
  "limit",
] as const;

function damaged(path: string): ClewError {
  return new ClewError("damaged_run", `${path} does not begin like a run's journal`, "move that file away");
}

import type { SessionParts } from "../session/parts.ts";
import type { SavedRecord } from "../session/ports.ts";
import type { BulkRecords, ImportMemory, TranscriptFile } from "./ports.ts";
import type { WrittenTranscript } from "./write-transcript.ts";

/** So many sessions are synced at once, and then counted as imported. */
const batchSize = 32;

interface Parts {
  bulk: BulkRecords;
  sessions: Pick<SessionParts, "projections">;
}

/** What was written, and is not yet known to be on disk. */
export class ImportBatch {
  readonly #parts: Parts;
  readonly #memory: ImportMemory;
  #pending: Promise<void>[] = [];
  #saved: SavedRecord[] = [];
  #noted: (() => void)[] = [];

  constructor(parts: Parts, memory: ImportMemory) {
    this.#parts = parts;
    this.#memory = memory;
  }

  get isFull(): boolean {
    return this.#pending.length >= batchSize;
  }

  add(file: TranscriptFile, id: string, { saved, written }: WrittenTranscript): void {
    this.#saved.push(saved);
    this.#pending.push(written);
    this.note(file, id);
  }

  /** A record that was written beside; undefined when it did not change. */
  addRecord(saved: SavedRecord | undefined): void {
    if (saved) this.#saved.push(saved);
  }

  /** Remembered once all that was written is on disk. */
  note({ path, stamp }: TranscriptFile, session: string | null): void {
    this.#noted.push(() => this.#memory.set(path, { stamp, session }));
  }

  /** Resolves when all is on disk, and index and memory have followed. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
    if (this.#pending.length > 0) await this.#parts.bulk.sync();
    await this.#parts.sessions.projections.followAll(this.#saved);
    for (const note of this.#noted) note();
    this.#memory.save();
    this.#pending = [];
    this.#saved = [];
    this.#noted = [];
  }
}

import type { JournalLine } from "../../../contract/run-journal.ts";
import { isForSession } from "../../../run/session-entries.ts";
import { cannotBeWritten, RunRecord, type RunRecordParts } from "./run-record.ts";
import type { RunSession, RunSessions } from "./ports.ts";

interface Parts extends RunRecordParts {
  /** Calls `work` once the time has passed; returns how to call it off. */
  later: (ms: number, work: () => void) => () => void;
  /** Tells a person what went wrong without stopping anything. */
  warn: (message: string) => void;
}

/** While a run is driven, its session follows at most this often. */
const writeEveryMs = 250;
/** A session that cannot be written is tried again after this long: the journal is then read from its beginning. */
const retryEveryMs = 10_000;

/** The sessions of runs on their journals: the journal is the truth, and the session follows. */
export function projectedRunSessions(parts: Parts): RunSessions {
  const { records } = parts;
  return {
    isTaken: (id) => records.exists(id),
    async begin(runId) {
      try {
        await new RunRecord(parts, runId).make();
      } catch {
        // The process that drives the run tries again, and tells what is wrong.
      }
    },
    of: (runId) => new FollowedRun(parts, runId),
    idOf: (runId) => (records.exists(runId) ? runId : undefined),
  };
}

class FollowedRun implements RunSession {
  readonly #parts: Parts;
  readonly #runId: string;
  readonly #record: RunRecord;
  #pauseMs = 0;
  #isTouched = false;
  #isBehind = false;
  #hasWarned = false;
  #callOff: (() => void) | undefined;
  #writing: Promise<void> | undefined;

  constructor(parts: Parts, runId: string) {
    this.#parts = parts;
    this.#runId = runId;
    this.#record = new RunRecord(parts, runId);
  }

  add(line: JournalLine): void {
    if (!isForSession(line)) return;
    this.#record.add(line);
    this.#isTouched = this.#isBehind = true;
    this.#schedule();
  }

  async close(): Promise<void> {
    this.#callOff?.();
    await this.#writing;
    this.#callOff?.();
    if (this.#isTouched) await this.#try(() => this.#record.settle());
  }

  #schedule(): void {
    if (this.#callOff || this.#writing) return;
    this.#callOff = this.#parts.later(this.#pauseMs, () => {
      this.#callOff = undefined;
      this.#writing = this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isBehind = false;
    const isWritten = await this.#try(() => this.#record.write());
    this.#pauseMs = isWritten ? writeEveryMs : retryEveryMs;
    this.#writing = undefined;
    if (this.#isBehind) this.#schedule();
  }

  /** A run does not fail for its record: the person is warned once. */
  async #try(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#hasWarned) this.#parts.warn(cannotBeWritten(this.#runId, error));
      this.#hasWarned = true;
      return false;
    }
  }
}

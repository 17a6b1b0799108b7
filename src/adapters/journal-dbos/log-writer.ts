import type { Redacted } from "../../contract/redacted.ts";
import type { OtherLine } from "./run-tables.ts";

/** Writes lines one batch after the other: lines that come during a write go with the next batch. */
export class LogWriter {
  readonly #write: (lines: Redacted<OtherLine>[]) => Promise<void>;
  #waiting: Redacted<OtherLine>[] = [];
  #writing: Promise<void> | undefined;
  #fault: { error: unknown } | undefined;

  constructor(write: (lines: Redacted<OtherLine>[]) => Promise<void>) {
    this.#write = write;
  }

  /** Throws when an earlier line could not be written. */
  add(line: Redacted<OtherLine>): void {
    if (this.#fault) throw this.#fault.error;
    this.#waiting.push(line);
    this.#writing ??= this.#writeWaiting();
  }

  /** All lines are written when this resolves; rejects when one could not be. */
  async flush(): Promise<void> {
    await this.#writing;
    if (this.#fault) throw this.#fault.error;
  }

  async #writeWaiting(): Promise<void> {
    try {
      while (this.#waiting.length > 0) await this.#write(this.#waiting.splice(0));
    } catch (error) {
      this.#fault = { error };
    } finally {
      this.#writing = undefined;
    }
  }
}

import { markSequence } from "./escape-sequences.ts";
import { isTerminal, writeText } from "./output.ts";
import { number } from "./time.ts";

const clearLine = markSequence("\r") + markSequence("\x1b[K");

/** A line at the bottom of a terminal that tells how far something is. Shown only when it takes more than a second. */
export class ProgressLine {
  #startMs: number | undefined;
  #drawMs = 0;
  #isVisible = false;
  #isMuted = false;

  show(what: string, done: number, total: number): void {
    const nowMs = performance.now();
    this.#startMs ??= nowMs;
    if (nowMs - this.#startMs < 1000 || nowMs - this.#drawMs < 100) return;
    this.#drawMs = nowMs;
    if (this.#isMuted || !isTerminal(2)) return;
    this.#isVisible = true;
    writeText(2, `${clearLine}${what}: ${number(done)} of ${number(total)}`);
  }

  /** Draws a line that stays until anything else is written, also when progress is muted. */
  tell(line: string): void {
    if (!isTerminal(2)) return;
    this.#isVisible = true;
    writeText(2, `${clearLine}${line}`);
  }

  /** Takes the line away before anything else is written. */
  clear(): void {
    if (this.#isVisible) writeText(2, clearLine);
    this.#isVisible = false;
  }

  /** Shows none any more: something else is drawn at the bottom, or lines come one by one. */
  mute(): void {
    this.clear();
    this.#isMuted = true;
  }
}

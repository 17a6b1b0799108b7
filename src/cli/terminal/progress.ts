import { markSequence } from "./marks.ts";
import { isTerminal, writeText } from "./output.ts";
import { number } from "./time.ts";

const clearLine = markSequence("\r") + markSequence("\x1b[K");

/** A line at the bottom of a terminal that tells how far something is. Shown only when it takes more than a second. */
export interface ProgressLine {
  show(what: string, done: number, total: number): void;
  /** Takes the line away before anything else is written. */
  clear(): void;
  /** Shows none any more: something else is drawn at the bottom, or lines come one by one. */
  mute(): void;
}

export function progressLine(): ProgressLine {
  let startMs: number | undefined;
  let drawMs = 0;
  let isVisible = false;
  let isMuted = false;
  return {
    show(what, done, total) {
      const nowMs = performance.now();
      startMs ??= nowMs;
      if (nowMs - startMs < 1000 || nowMs - drawMs < 100) return;
      drawMs = nowMs;
      if (isMuted || !isTerminal(2)) return;
      isVisible = true;
      writeText(2, `${clearLine}${what}: ${number(done)} of ${number(total)}`);
    },
    clear() {
      if (isVisible) writeText(2, clearLine);
      isVisible = false;
    },
    mute() {
      this.clear();
      isMuted = true;
    },
  };
}

import { marked } from "./marks.ts";
import { isTerminal, writeText } from "./output.ts";
import { number } from "./time.ts";

const clearLine = marked("\r") + marked("\x1b[K");

/** A line at the bottom of a terminal that tells how far something is. Shown only when it takes more than a second. */
export interface ProgressLine {
  show(what: string, done: number, total: number): void;
  /** Takes the line away before anything else is written. */
  clear(): void;
  /** Shows none any more: something else is drawn at the bottom, or lines come one by one. */
  mute(): void;
}

export function progressLine(): ProgressLine {
  let startedMs: number | undefined;
  let shownMs = 0;
  let visible = false;
  let isMuted = false;
  return {
    show(what, done, total) {
      const nowMs = performance.now();
      startedMs ??= nowMs;
      if (nowMs - startedMs < 1000 || nowMs - shownMs < 100) return;
      shownMs = nowMs;
      if (isMuted || !isTerminal(2)) return;
      visible = true;
      writeText(2, `${clearLine}${what}: ${number(done)} of ${number(total)}`);
    },
    clear() {
      if (visible) writeText(2, clearLine);
      visible = false;
    },
    mute() {
      this.clear();
      isMuted = true;
    },
  };
}

import { marked } from "./marks.ts";
import { isTerminal, writeText } from "./output.ts";
import { number } from "./time.ts";

const clearLine = marked("\r") + marked("\x1b[K");

/** A line at the bottom of a terminal that tells how far something is. Shown only when it takes more than a second. */
export function progressLine(): {
  show(what: string, done: number, total: number): void;
  clear(): void;
} {
  let startedMs: number | undefined;
  let shownMs = 0;
  let visible = false;
  return {
    show(what, done, total) {
      const nowMs = performance.now();
      startedMs ??= nowMs;
      if (nowMs - startedMs < 1000 || nowMs - shownMs < 100) return;
      shownMs = nowMs;
      if (!isTerminal(2)) return;
      visible = true;
      writeText(2, `${clearLine}${what}: ${number(done)} of ${number(total)}`);
    },
    clear() {
      if (visible) writeText(2, clearLine);
      visible = false;
    },
  };
}

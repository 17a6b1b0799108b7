import { isTerminal, writeAll } from "./output.ts";
import { number } from "./time.ts";

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
      writeAll(2, `\r\x1b[K${what}: ${number(done)} of ${number(total)}`);
    },
    clear() {
      if (visible) writeAll(2, "\r\x1b[K");
      visible = false;
    },
  };
}

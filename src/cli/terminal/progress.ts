/** A line at the bottom of a terminal that tells how far something is. Shown only when it takes more than a second. */
export function progressLine(stream: NodeJS.WriteStream): {
  show(what: string, done: number, total: number): void;
  clear(): void;
} {
  let startedMs: number | undefined;
  let shownMs = 0;
  let visible = false;
  return {
    show(what, done, total) {
      if (!stream.isTTY) return;
      const nowMs = performance.now();
      startedMs ??= nowMs;
      if (nowMs - startedMs < 1000 || nowMs - shownMs < 100) return;
      shownMs = nowMs;
      visible = true;
      stream.write(`\r\x1b[K${what}: ${done.toLocaleString("en-US")} of ${total.toLocaleString("en-US")}`);
    },
    clear() {
      if (visible) stream.write("\r\x1b[K");
      visible = false;
    },
  };
}

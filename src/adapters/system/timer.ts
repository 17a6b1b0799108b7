/** The longest that Node's own timer can count. */
const longestMs = 2 ** 31 - 1;

/** Calls `work` after this time, however long it is. Returns the function that cancels it. */
export function after(ms: number, work: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = (leftMs: number): void => {
    const nowMs = Math.min(leftMs, longestMs);
    timer = setTimeout(() => (leftMs > nowMs ? arm(leftMs - nowMs) : work()), nowMs);
  };
  arm(Math.max(0, ms));
  return () => clearTimeout(timer);
}

/** Blocks the whole process for a moment, where nothing can be awaited. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Resolves when the time has passed, or `sooner` resolves. */
export async function pauseUnless(ms: number, sooner: Promise<void>): Promise<void> {
  let stop = (): void => undefined;
  await Promise.race([new Promise<void>((done) => (stop = after(ms, done))), sooner]);
  stop();
}

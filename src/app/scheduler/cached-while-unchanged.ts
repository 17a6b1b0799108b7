/** Deferred beads become ready without a change of anything. */
const longestKeptMs = 15_000;

interface Parts<T> {
  /** Another text when there is something new to read. */
  stampNow: () => string;
  read: () => Promise<T>;
  elapsedMs: () => number;
}

/** Ten thousand beads take a while to read, and mostly nothing has changed since the look before. */
export function cachedWhileUnchanged<T>({ stampNow, read, elapsedMs }: Parts<T>): () => Promise<T> {
  let cached: { stamp: string; atMs: number; value: T } | undefined;
  return async () => {
    const atMs = elapsedMs();
    const stamp = stampNow();
    if (cached?.stamp === stamp && atMs - cached.atMs <= longestKeptMs) return cached.value;
    // Nothing is kept of what failed: it is tried again at the next look.
    cached = undefined;
    const value = await read();
    cached = { stamp, atMs, value };
    return value;
  };
}

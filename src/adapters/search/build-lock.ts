import type { Locks } from "../files/lock.ts";

/** How long a process waits for another that builds the search. */
const timeoutMs = 30 * 60_000;

/** How long it waits without a word. */
const silentMs = 1000;

/** One process builds the search at a time; one that waits tells the person why. */
export async function withBuildLock<T>(
  locks: Locks,
  warn: (message: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const timer = setTimeout(() => warn("another process builds the search, and this one waits for it"), silentMs);
  const begin = (): Promise<T> => {
    clearTimeout(timer);
    return work();
  };
  return locks.with("search", begin, timeoutMs).finally(() => clearTimeout(timer));
}

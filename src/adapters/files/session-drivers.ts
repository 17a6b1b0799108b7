import type { SessionDrivers } from "../../app/session/drivers.ts";
import { sqliteHeldLocks } from "./held-lock.ts";

/** Who drives a session: one lock each. What this process holds itself does not count as driven by another. */
export function sessionDrivers(folder: string): SessionDrivers {
  const locks = sqliteHeldLocks(folder);
  const own = new Set<string>();
  const tryAcquire = (session: string): (() => void) | undefined => {
    const release = own.has(session) ? undefined : locks.tryAcquire(session);
    if (!release) return undefined;
    own.add(session);
    return () => {
      own.delete(session);
      release();
    };
  };
  return {
    tryAcquire,
    isDriven(session) {
      if (own.has(session)) return false;
      const release = tryAcquire(session);
      release?.();
      return release === undefined;
    },
  };
}

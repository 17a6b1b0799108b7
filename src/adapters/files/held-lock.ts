import { lockPath } from "../layout.ts";
import { isBusy, lockFailure, openLock } from "./lock.ts";

/** Locks that a process holds for long. No caller waits for one. */
export interface HeldLocks {
  /** Returns the function that releases the lock; undefined when another process holds it. Free as soon as its holder dies. */
  tryAcquire: (name: string) => (() => void) | undefined;
}

/** As in `lock.ts`, but with one file per name: two names must never wait for each other. */
export function sqliteHeldLocks(folder: string): HeldLocks {
  return {
    tryAcquire(name) {
      const path = lockPath(folder, name);
      const db = openLock(folder, path);
      try {
        db.exec("BEGIN IMMEDIATE");
      } catch (error) {
        db.close();
        if (isBusy(error)) return undefined;
        throw lockFailure(error, path);
      }
      return () => {
        db.exec("ROLLBACK");
        db.close();
      };
    },
  };
}

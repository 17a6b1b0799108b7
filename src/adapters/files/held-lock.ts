import { join } from "node:path";
import { isBusy, lockFailure, openLock } from "./lock.ts";

/** Locks that are held for long, one file each: whoever does not get one at once goes without. */
export interface HeldLocks {
  /** Returns how to let go, or undefined when another holds it. Free at once when its holder dies. */
  tryAcquire: (name: string) => (() => void) | undefined;
}

/** As in `lock.ts`, but a file of its own for every name: two names must never wait for each other. */
export function sqliteHeldLocks(folder: string): HeldLocks {
  return {
    tryAcquire(name) {
      const path = join(folder, `${name}.lock`);
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

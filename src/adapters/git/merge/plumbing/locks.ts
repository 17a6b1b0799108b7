import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { branchRef } from "./ask.ts";

/** A git that lives is done with its lock sooner than this, or has touched it. */
const patienceMs = 500;

/** The locks that git takes in a checkout. */
export function checkoutLocks(gitDir: string): string[] {
  return ["index.lock", "HEAD.lock", "ORIG_HEAD.lock"].map((name) => join(gitDir, name));
}

export function branchLock(commonDir: string, branch: string): string {
  return join(commonDir, `${branchRef(branch)}.lock`);
}

/**
 * Removes locks that a killed git left behind. Only for a git that is known to be dead; should another one hold a lock at
 * this moment, it gets the time to finish.
 */
export async function removeStaleLocks(locks: string[]): Promise<void> {
  const identities = new Map(locks.map((lock) => [lock, identity(lock)]));
  if ([...identities.values()].every((value) => value === undefined)) return;
  await pause(patienceMs);
  for (const [lock, identityBefore] of identities)
    if (identityBefore !== undefined && identity(lock) === identityBefore) rmSync(lock, { force: true });
}

function identity(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeNs}`;
}

import { mkdirSync, statSync } from "node:fs";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { ClewError } from "../../contract/errors.ts";
import { crc32 } from "../../session/crc32.ts";
import { lockPath } from "../layout.ts";
import { explainErrors } from "./failure.ts";
import { describeKind } from "./regular-file.ts";
import { UnreadableFile } from "./unreadable-file.ts";

/** One holder per name over all processes of this machine. A lock is free as soon as its holder dies. */
export interface Locks {
  /** Runs `work` while holding the lock. Waits for other holders, at most `timeoutMs`, then throws. Not re-entrant. */
  with<T>(name: string, work: () => T | Promise<T>, timeoutMs?: number): Promise<T>;
  close(): void;
}

/**
 * Names of the form `kind/id` share this many files per kind, so that many sessions do not mean many lock files. Two
 * locks of one kind are never held at once, so sharing cannot deadlock; locks of different kinds never share.
 */
const slots = 64;

/**
 * SQLite's write lock is a lock of the kernel on a file: it needs no clean-up, cannot be stolen from a holder that is
 * merely slow, and costs some microseconds. The database itself stays empty.
 */
export function sqliteLocks(folder: string, defaultTimeoutMs = 30_000): Locks {
  const databases = new Map<string, DatabaseSyncInstance>();
  const queues = new Map<string, Promise<unknown>>();

  function connection(slot: string): DatabaseSyncInstance {
    let db = databases.get(slot);
    if (!db) databases.set(slot, (db = openLock(folder, lockPath(folder, slot))));
    return db;
  }

  async function acquire(slot: string, name: string, timeoutMs: number): Promise<DatabaseSyncInstance> {
    const db = connection(slot);
    const deadline = performance.now() + timeoutMs;
    for (let pauseMs = 0.2; ; pauseMs = Math.min(pauseMs * 1.5, 8)) {
      try {
        db.exec("BEGIN IMMEDIATE");
        return db;
      } catch (error) {
        if (!isBusy(error)) throw lockFailure(error, lockPath(folder, slot));
        if (performance.now() > deadline) throw lockTimeout(name, timeoutMs);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }

  return {
    async with(name, work, timeoutMs = defaultTimeoutMs) {
      const slot = slotOf(name);
      // Within one process the same connection serves one holder after the other.
      const previous = queues.get(slot) ?? Promise.resolve();
      const result = previous.then(async () => {
        const db = await acquire(slot, name, timeoutMs);
        try {
          return await work();
        } finally {
          db.exec("ROLLBACK");
        }
      });
      const queueEnd = result.catch(() => undefined);
      queues.set(slot, queueEnd);
      return result;
    },
    close() {
      for (const db of databases.values()) db.close();
      databases.clear();
    },
  };
}

/** Opens a lock file. Throws unless it is a plain file or missing: SQLite's own errors are unclear, and it may block on a pipe. */
export function openLock(folder: string, path: string): DatabaseSyncInstance {
  return explainErrors(path, () => {
    mkdirSync(folder, { recursive: true });
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isFile()) throw new UnreadableFile(path, `is ${describeKind(stats)}, not a lock file`);
    let db: DatabaseSyncInstance | undefined;
    try {
      db = new DatabaseSync(path, { timeout: 0 });
      // Nothing is ever written, so a journal on disk would only cost time, and fail when the disk is full.
      db.exec("PRAGMA journal_mode = MEMORY");
      return db;
    } catch (error) {
      db?.close();
      throw lockFailure(error, path);
    }
  });
}

function slotOf(name: string): string {
  const slash = name.indexOf("/");
  if (slash < 0) return name;
  const slot = crc32(name.slice(slash)) % slots;
  return `${name.slice(0, slash)}-${slot.toString(16).padStart(2, "0")}`;
}

export function isBusy(error: unknown): boolean {
  const { errcode, message } = error as { errcode?: number; message?: string };
  return errcode === 5 || errcode === 6 || /database (?:table )?is locked|SQLITE_BUSY/.test(message ?? "");
}

export function lockFailure(cause: unknown, path: string): unknown {
  const { message } = cause as Error;
  if (/disk is full/i.test(message)) {
    const hint = "free some space, then repeat the command";
    return new ClewError("disk_full", `no room on disk for ${path}`, hint, { cause });
  }
  if (/not a database|malformed/i.test(message)) return new UnreadableFile(path, "is not a lock file", cause);
  if (!/readonly|unable to open|permission/i.test(message)) return cause;
  const hint = "give yourself rights to this folder";
  return new ClewError("no_permission", `cannot lock ${path}: ${message}`, hint, { cause });
}

function lockTimeout(name: string, timeoutMs: number): ClewError {
  return new ClewError(
    "locked",
    `${name} has been held by another clew process for ${Math.round(timeoutMs / 1000)} s`,
    "wait for that process or end it (ps -ef | grep clew); a lock never outlives its process",
  );
}

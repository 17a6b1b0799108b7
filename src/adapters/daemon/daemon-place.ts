import { statSync } from "node:fs";
import type { DaemonPlace, HeldPlace, Registration } from "../../app/daemon/process-ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { Disk } from "../files/disk.ts";
import { ifPossible } from "../files/failure.ts";
import { sqliteHeldLocks } from "../files/held-lock.ts";
import { paths, type Layout } from "../layout.ts";
import { isAliveIn, thisProcess } from "../shell/process-name.ts";
import { pause } from "../system/timer.ts";
import { readRegistration, writeRegistration } from "./registration-file.ts";

interface Parts {
  disk: Disk;
  layout: Layout;
  boot: string;
  /** The version of this program. */
  program: string;
  newId: () => string;
  nowIso: () => string;
}

const lockName = "daemon";
/** Who only looks whether the place is taken has its lock for some microseconds. */
const tryForMs = 500;

/** The place of a repository's daemon: a lock, and a file that names the process which holds it. */
export function daemonPlace(parts: Parts): DaemonPlace {
  const { layout, boot } = parts;
  const locks = sqliteHeldLocks(paths.locks(layout));
  const isAliveProcess = isAliveIn(boot);
  const registered = (): Registration | undefined => readRegistration(paths.daemon(layout));
  const isAlive = ({ pid, process_started, boot: registeredIn }: Registration): boolean =>
    isAliveProcess({ pid, started: process_started, boot: registeredIn });
  /** Undefined when another process has it. */
  const acquire = (): (() => void) | undefined => {
    for (let triedMs = 0; ; triedMs += 5) {
      const release = locks.tryAcquire(lockName);
      if (release || triedMs >= tryForMs) return release;
      pause(5);
    }
  };
  return {
    take(kind) {
      const release = acquire();
      if (!release) throw placeTakenError(registered(), isAlive);
      try {
        return heldPlace(parts, kind, release);
      } catch (error) {
        release();
        throw error;
      }
    },
    isTaken() {
      const release = locks.tryAcquire(lockName);
      release?.();
      return release === undefined;
    },
    registered,
    isAlive,
    askToEnd(registration) {
      if (!isAlive(registration)) return;
      try {
        process.kill(registration.pid, "SIGTERM");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
}

/** Called with the lock held. */
function heldPlace(parts: Parts, kind: Registration["kind"], release: () => void): HeldPlace {
  const { disk, layout, boot, program } = parts;
  const file = paths.daemon(layout);
  const { pid, started: process_started } = thisProcess(boot);
  let own: Registration = {
    id: parts.newId(),
    kind,
    pid,
    process_started,
    boot,
    program,
    started: parts.nowIso(),
    root: layout.root,
    socket: null,
    url: null,
    is_ending: false,
  };
  const write = (changes: Partial<Registration>): Registration => {
    own = { ...own, ...changes };
    disk.makeFolder(paths.stateFolder(layout));
    writeRegistration(disk, file, own);
    return own;
  };
  write({});
  const home = folderId(layout.home);
  const isOurs = (): boolean => {
    if (folderId(layout.home) !== home) return false;
    const found = readRegistration(file);
    if (found) return found.id === own.id;
    ifPossible(() => write({}));
    return true;
  };
  return {
    id: own.id,
    register: write,
    announceEnd: () => ifPossible(() => isOurs() && write({ is_ending: true })),
    isOurs,
    release() {
      try {
        // Another repository may stand in the place of one that was moved.
        if (isOurs()) disk.remove(file);
      } finally {
        release();
      }
    },
  };
}

/** The same as long as it is the very folder; undefined when it is gone. */
function folderId(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

function placeTakenError(found: Registration | undefined, isAlive: (found: Registration) => boolean): ClewError {
  const message = "a daemon is at work in this repository already";
  if (!found || !isAlive(found)) {
    const hint = "it runs in another container, or under another version of Clew: end it there";
    return new ClewError("not_possible_now", `${message}, but its process cannot be seen from here`, hint);
  }
  const hint =
    found.kind === "scheduler"
      ? `it ends when nothing is ready any more; stop it with Ctrl-C in its terminal, or by kill ${found.pid}`
      : "it takes up all that is ready; clew daemon status shows it, clew daemon stop ends it";
  return new ClewError("not_possible_now", `${message}: process ${found.pid}`, hint);
}

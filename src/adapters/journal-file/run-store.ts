import { statSync } from "node:fs";
import type { RunStore } from "../../app/run-ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RunSnapshot } from "../../contract/run-journal.ts";
import { runIdPattern } from "../../contract/run.ts";
import { foldLine, startState, type RunState } from "../../run/run-state.ts";
import type { Disk } from "../files/disk.ts";
import { explained } from "../files/failure.ts";
import type { HeldLocks } from "../files/held-lock.ts";
import { parseLine, rawLines } from "./journal-lines.ts";
import { runPaths, type RunFolders } from "./run-paths.ts";
import { SignalFiles } from "./signal-files.ts";
import { Snapshots } from "./snapshots.ts";

const newline = 0x0a;
/** The last line of a run that ended is shorter. */
const endBytes = 4096;

interface Parts {
  disk: Disk;
  folders: RunFolders;
  drivers: HeldLocks;
}

export function runStore({ disk, folders, drivers }: Parts): RunStore {
  const snapshots = new Snapshots(disk, folders.snapshots);
  const signals = new SignalFiles(disk, folders.signals);
  const path = (id: string): string => runPaths.journal(folders, id);
  const size = (id: string): number => disk.stamp(path(id))?.size ?? 0;

  /** A snapshot counts when the journal has a line's end where it says that it stopped. */
  function trusted(id: string): RunSnapshot | undefined {
    const snapshot = snapshots.read(id);
    if (snapshot?.id !== id || snapshot.journal_bytes > size(id)) return undefined;
    const last = disk.readRange(path(id), snapshot.journal_bytes - 1, snapshot.journal_bytes);
    return last[0] === newline ? snapshot : undefined;
  }

  function fold(id: string): RunSnapshot {
    const snapshot = trusted(id);
    let state: RunState | undefined = snapshot;
    let end = snapshot?.journal_bytes ?? 0;
    for (const raw of rawLines(disk, path(id), end)) {
      const line = parseLine(raw, disk, path(id));
      end = raw.offset + raw.bytes;
      if (line?.type === "workflow.started") state = startState(line);
      if (line && state) foldLine(state, line);
    }
    if (!state) throw new ClewError("damaged_run", `${path(id)} has no first line`, "move that file away");
    return { ...state, journal_bytes: end };
  }

  return {
    ids: () =>
      disk
        .list(folders.journals)
        .filter((name) => name.endsWith(".jsonl"))
        .map((name) => name.slice(0, -".jsonl".length))
        .filter((id) => runIdPattern.test(id)),
    recentIds() {
      const isOver = (id: string): boolean => {
        try {
          return this.hasEnded(id);
        } catch (error) {
          // Whoever asks for the run is told what is wrong with its journal.
          if (error instanceof ClewError) return false;
          throw error;
        }
      };
      const kept = new Set(snapshots.ids());
      // A crash may have come before a run's first snapshot.
      return [...kept, ...this.ids().filter((id) => !kept.has(id) && !isOver(id))];
    },
    exists: (id) => runIdPattern.test(id) && disk.stamp(path(id)) !== undefined,
    state: fold,
    hasEnded(id) {
      const end = size(id);
      const tail = disk
        .readRange(path(id), Math.max(0, end - endBytes), end)
        .toString("utf8")
        .trimEnd();
      return /^\{"type":"workflow\.(?:completed|cancelled)",/.test(tail.slice(tail.lastIndexOf("\n") + 1));
    },
    touchedMs: (id) => explained(path(id), () => statSync(path(id), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    isDriven(id) {
      // Somebody else who only looks holds the lock for a moment, too.
      for (let tries = 0; tries < 3; tries++) {
        const release = drivers.tryHold(id);
        release?.();
        if (release) return false;
      }
      return true;
    },
    pendingSignals: (id) => signals.for(id),
    *lines(id, from = 0) {
      for (const raw of rawLines(disk, path(id), from)) {
        const line = parseLine(raw, disk, path(id));
        if (line) yield { line, end: raw.offset + raw.bytes };
      }
    },
    size,
    path,
    dropState: (id) => snapshots.remove(id),
  };
}

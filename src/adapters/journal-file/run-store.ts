import { statSync } from "node:fs";
import type { PlacedLine, RunStore } from "../../app/run/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import type { RunDigest } from "../../contract/run-digest.ts";
import type { EndedRun, RunSnapshot } from "../../contract/run-snapshot.ts";
import { runIdPattern } from "../../contract/run.ts";
import { DigestFold } from "../../run/run-digest.ts";
import { foldLine, startState, type RunState } from "../../run/run-state.ts";
import { explainErrors, withFallback } from "../files/failure.ts";
import type { RunStorage } from "./embedded-host.ts";
import { endedRow } from "./ended-runs.ts";
import { knownRuns } from "./known-runs.ts";
import { eventPlaces, journalEnd } from "./journal-events.ts";
import { parseLine, rawLines } from "./journal-lines.ts";
import { runPaths } from "../layout/run-paths.ts";
import { signalFiles } from "./signal-files.ts";
import { runSnapshots } from "./snapshots.ts";

/** The last line of a run that ended is shorter. */
const endBytes = 4096;

export function runStore(
  { disk, folders, drivers }: Pick<RunStorage, "disk" | "folders" | "drivers">,
  { ids, endedRuns } = knownRuns(disk, folders),
): RunStore {
  const snapshots = runSnapshots(disk, folders);
  const signals = signalFiles(disk, folders.signals);
  const path = (id: string): string => runPaths.journal(folders, id);
  const size = (id: string): number => disk.stamp(path(id))?.size ?? 0;

  function* linesOf(id: string, from = 0): Generator<PlacedLine> {
    if (from > 0 && from === size(id)) return;
    for (const raw of rawLines(disk, path(id), from)) {
      const line = parseLine(raw, disk, path(id));
      if (line) yield { line, offset: raw.offset, end: raw.offset + raw.bytes };
    }
  }

  function fold(id: string): RunSnapshot {
    const snapshot = snapshots.read(id);
    let state: RunState | undefined = snapshot;
    let end = snapshot?.journal_bytes ?? 0;
    for (const placed of linesOf(id, end)) {
      const { line } = placed;
      ({ end } = placed);
      if (line.type === "workflow.started") state = startState(line);
      if (state) foldLine(state, line);
    }
    if (!state) throw new ClewError("damaged_run", `${path(id)} has no first line`, "move that file away");
    return { ...state, journal_bytes: end };
  }

  function digest(id: string): RunDigest {
    const from = snapshots.readDigest(id);
    const folding = new DigestFold(id, from);
    let end = from?.journal_bytes ?? 0;
    for (const placed of linesOf(id, end)) {
      const { line, offset } = placed;
      ({ end } = placed);
      folding.add(line, { offset, bytes: end - offset });
    }
    return { ...folding.digest, journal_bytes: end };
  }

  /** Whether the run ended, by the last line of its journal. */
  function hasEnded(id: string): boolean {
    const end = size(id);
    const tail = disk
      .readRange(path(id), Math.max(0, end - endBytes), end)
      .toString("utf8")
      .trimEnd();
    return /^\{"type":"workflow\.(?:completed|cancelled)",/.test(tail.slice(tail.lastIndexOf("\n") + 1));
  }

  /** Undefined for a run that has not ended, and for one whose journal cannot be read: reading the run says why. */
  function rowOf(id: string): EndedRun | undefined {
    return withFallback(() => {
      const snapshot = snapshots.read(id);
      const isCurrent = snapshot?.journal_bytes === size(id);
      if (isCurrent) return endedRow(snapshot, snapshot.journal_bytes);
      return hasEnded(id) ? endedRow(fold(id), size(id)) : undefined;
    }, undefined);
  }

  const ended = (): ReadonlyMap<string, EndedRun> => endedRuns.among(ids(), { size, endedRun: rowOf });

  return {
    ids,
    ended,
    openIds() {
      const endedById = ended();
      return ids().filter((id) => !endedById.has(id));
    },
    exists: (id) => runIdPattern.test(id) && disk.stamp(path(id)) !== undefined,
    state: fold,
    digest,
    lineAt(id, { offset, bytes }) {
      const text = disk.readRange(path(id), offset, offset + bytes - 1).toString("utf8");
      const line = parseLine({ text, offset, bytes }, disk, path(id));
      if (!line) throw new ClewError("damaged_run", `${path(id)} has another line at byte ${offset}`, "clew run log");
      return line;
    },
    journalEnd: (id) => journalEnd(disk, path(id)),
    eventPlaces: (id, after) => eventPlaces(disk, path(id), after),
    touchedMs: (id) => explainErrors(path(id), () => statSync(path(id), { throwIfNoEntry: false })?.mtimeMs ?? 0),
    isDriven(id) {
      // Another reader that asks the same holds the lock for a moment, too.
      for (let tries = 0; tries < 3; tries++) {
        const release = drivers.tryAcquire(id);
        release?.();
        if (release) return false;
      }
      return true;
    },
    pendingSignals: (id) => signals.list(id),
    lines: linesOf,
    size,
    path,
  };
}

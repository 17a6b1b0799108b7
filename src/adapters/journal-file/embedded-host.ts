import { ClewError } from "../../contract/errors.ts";
import { journalLine, journalVersion, type JournalLine } from "../../contract/run-journal.ts";
import type { PinnedRun, Signal, SignalOrigin, StepAddress } from "../../contract/run.ts";
import { interpret, type RunEnd } from "../../run/interpreter.ts";
import { startState, type RunState } from "../../run/run-state.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../run/run-host.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import type { HeldLocks } from "../files/held-lock.ts";
import { EventNumbers } from "./event-numbers.ts";
import { FilePort, Interrupted } from "./file-port.ts";
import type { ProcessLine } from "./journal-index.ts";
import { KeptOutputs } from "./kept-outputs.ts";
import { RunJournal } from "./run-journal.ts";
import { runPaths, type RunFolders } from "./run-paths.ts";
import { SignalFiles } from "./signal-files.ts";
import { Snapshots } from "./snapshots.ts";

/** At most this often, a running run's snapshot is written. */
const snapshotEveryMs = 250;

export interface HostParts {
  disk: Disk;
  folders: RunFolders;
  /** Short locks, for the numbering of events. */
  locks: () => Promise<Locks>;
  /** Locks that are held as long as a run is driven. */
  drivers: HeldLocks;
  nowMs: () => number;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  newId: () => string;
  /** Names this run of the machine. */
  boot: string;
  pid: number;
  /** Replaces secrets in every text of a value. */
  redact: <T>(value: T) => T;
  /** Ends what a crash left of these processes, and removes what they left. */
  endSurvivors: (processes: ProcessLine[]) => Promise<void>;
  lookEveryMs?: number;
}

/** Runs on files: one journal each, driven by whichever process holds the run's lock. */
export class EmbeddedHost implements RunHost {
  readonly #parts: HostParts;
  readonly #numbers: EventNumbers;
  readonly #signals: SignalFiles;
  readonly #snapshots: Snapshots;
  /** How many runs this process drives now. */
  #driving = 0;

  constructor(parts: HostParts) {
    const { disk, folders, locks, boot } = parts;
    this.#parts = parts;
    this.#numbers = new EventNumbers({ disk, locks, folder: folders.journals, file: folders.lastEvent, boot });
    this.#signals = new SignalFiles(disk, folders.signals);
    this.#snapshots = new Snapshots(disk, folders.snapshots);
  }

  async start(wantedId: string, pinned: PinnedRun): Promise<string> {
    const { disk, folders, nowMs } = this.#parts;
    disk.makeFolder(folders.journals);
    for (let number = 1; ; number++) {
      const id = number === 1 ? wantedId : `${wantedId}-${number}`;
      const path = runPaths.journal(folders, id);
      if (disk.stamp(path)) continue;
      const first = (n: number): Extract<JournalLine, { type: "workflow.started" }> => ({
        type: "workflow.started",
        n,
        at: new Date(nowMs()).toISOString(),
        version: journalVersion,
        workflow_id: id,
        bead_id: pinned.bead.id,
        grimoire: pinned.grimoire.name,
        pinned,
      });
      const make = (n: number): false | { line: ReturnType<typeof first>; size: number } => {
        const line = first(n);
        const bytes = Buffer.from(`${JSON.stringify(journalLine.parse(line))}\n`);
        return disk.create(path, bytes, 0o600) && { line, size: bytes.length };
      };
      const made = await this.#numbers.give(id, () => 0, make);
      if (!made) continue;
      this.#keepSnapshot(startState(made.line), made.size);
      return id;
    }
  }

  async drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders, drivers } = this.#parts;
    if (!disk.stamp(runPaths.journal(folders, runId))) {
      throw new ClewError("unknown_run", `there is no run ${runId}`, "clew run list shows those that exist");
    }
    const release = drivers.tryHold(runId);
    if (!release) return { kind: "busy" };
    try {
      return await this.#drive(runId, options);
    } finally {
      release();
    }
  }

  async signal(runId: string, signal: Signal, to: StepAddress | null, by?: SignalOrigin): Promise<void> {
    const { redact, newId, nowMs } = this.#parts;
    const at = new Date(nowMs()).toISOString();
    this.#signals.put(runId, { id: newId(), at, signal: redact(signal), to, ...(by && { by: redact(by) }) });
  }

  async #drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders, nowMs, pid, boot, endSurvivors } = this.#parts;
    const outputs = new KeptOutputs(disk, runPaths.outputs(folders, runId));
    let keepSnapshot = (): void => undefined;
    const journal = new RunJournal(runId, runPaths.journal(folders, runId), {
      disk,
      numbers: this.#numbers,
      outputs,
      nowIso: () => new Date(nowMs()).toISOString(),
      isAlone: () => this.#driving === 1,
      onLine: (line) => {
        options.onLine?.(line);
        keepSnapshot();
      },
    });
    keepSnapshot = this.#snapshotKeeper(journal);
    this.#driving++;
    try {
      // A driver that was killed may have left lines that only this sync makes sure of, and the run is built on them.
      await journal.sync();
      await endSurvivors(journal.index.openProcesses);
      if (journal.index.ended) {
        for (const { id } of this.#signals.for(runId)) this.#signals.remove(runId, id);
        return { kind: "rests", status: journal.index.ended };
      }
      journal.line({ type: "run.driven", pid, boot });
      const end = (await this.#cancelled(journal)) ?? (await this.#interpret(journal, outputs, options));
      if (end.kind === "rests") this.#keepSnapshot(journal.state, journal.bytes);
      return end;
    } finally {
      this.#driving--;
      journal.close();
    }
  }

  /**
   * A run that is to be cancelled is not interpreted first: that may be the very thing that cannot be done any more. Only a
   * landing that was cut off has to be seen to.
   */
  async #cancelled(journal: RunJournal): Promise<DriveEnd | undefined> {
    const { runId, index, state } = journal;
    const { runningMs: running_ms } = index;
    const cancel = this.#signals.for(runId).find(({ signal }) => signal.kind === "cancel");
    if (cancel && !index.knowsSignal(cancel.id)) {
      const { id, signal, to, by } = cancel;
      journal.line({ type: "run.signal", id, signal, to, taken: true, ...(by && { by }), running_ms });
    }
    if (!index.cancelled || index.landings.all().length > 0) return undefined;
    await journal.event({ type: "workflow.cancelled", running_ms, usage: state.usage });
    await journal.sync();
    for (const { id } of this.#signals.for(runId)) this.#signals.remove(runId, id);
    return { kind: "rests", status: "cancelled" };
  }

  /** A run that waits leaves its interpreter waiting for ever, and forgotten. */
  async #interpret(journal: RunJournal, outputs: KeptOutputs, { handlers, signal }: DriveOptions): Promise<DriveEnd> {
    const { redact, elapsedMs, pid, lookEveryMs = 100 } = this.#parts;
    const signals = this.#signals;
    const port = new FilePort({
      journal,
      outputs,
      signals,
      handlers,
      redact,
      elapsedMs,
      interrupt: signal,
      lookEveryMs,
      pid,
    });
    const toItsEnd = async (): Promise<RunEnd> => {
      const end = await interpret(journal.pinned, port);
      const { usage } = journal.state;
      await journal.event({ type: `workflow.${end}`, running_ms: port.runningMs, usage });
      await journal.sync();
      return end;
    };
    const stopWatching = port.watch();
    try {
      return { kind: "rests", status: await Promise.race([toItsEnd(), port.rests]) };
    } catch (error) {
      if (error instanceof Interrupted) return { kind: "interrupted" };
      throw error;
    } finally {
      await stopWatching();
    }
  }

  /** A snapshot can be made again; a run does not fail for one that cannot be written. */
  #keepSnapshot(state: RunState, bytes: number): void {
    try {
      this.#snapshots.write(state, bytes);
    } catch {
      // Whoever reads folds the journal itself.
    }
  }

  /** Written at the start, when the status changes, and now and then. */
  #snapshotKeeper(journal: RunJournal): () => void {
    const { elapsedMs } = this.#parts;
    let writtenMs = -Infinity;
    let status: string | undefined;
    return () => {
      if (journal.state.status === status && elapsedMs() - writtenMs < snapshotEveryMs) return;
      this.#keepSnapshot(journal.state, journal.bytes);
      writtenMs = elapsedMs();
      ({ status } = journal.state);
    };
  }
}

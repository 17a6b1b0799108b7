import type { AgentSignals } from "../../app/run/ports.ts";
import { ClewError } from "../../contract/errors.ts";
import { journalLine, journalVersion, type JournalLine } from "../../contract/run-journal.ts";
import type { Signal, StepAddress } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { ofRedactedParts, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";
import { endEvent, signalLine } from "../../run/host-events.ts";
import { interpret, type RunEnd } from "../../run/interpreter.ts";
import type { AgentSignal } from "../../run/signal-rules.ts";
import { startState, type RunState } from "../../run/run-state.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../run/run-host.ts";
import type { Disk } from "../files/disk.ts";
import { ifPossible } from "../files/failure.ts";
import type { Locks } from "../files/lock.ts";
import type { HeldLocks } from "../files/held-lock.ts";
import { endedRow, EndedRuns } from "./ended-runs.ts";
import { EventNumbers } from "./event-numbers.ts";
import { FilePort, Interrupted } from "./file-port.ts";
import type { ProcessLine } from "./journal-index.ts";
import { outputFiles } from "./output-files.ts";
import { RunJournal } from "./run-journal.ts";
import { runPaths, type RunFolders } from "../layout/run-paths.ts";
import { signalFiles, type SignalFiles } from "./signal-files.ts";
import { runSnapshots, type Snapshots } from "./snapshots.ts";

type RunStarted = Extract<JournalLine, { type: "workflow.started" }>;

/** The snapshot of a running run is written at most this often. */
const snapshotEveryMs = 250;
/** The digest grows with the number of steps, and is written less often. */
const digestEveryMs = 2_000;

/** Where runs are stored. */
export interface RunStorage {
  disk: Disk;
  folders: RunFolders;
  /** Short locks, for the numbering of events. */
  locks: () => Promise<Locks>;
  /** The lock of each run, which its driver holds. */
  drivers: HeldLocks;
}

export interface EmbeddedHostParts {
  nowMs: () => number;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  newId: () => string;
  /** Names this run of the machine. */
  boot: string;
  pid: number;
  redact: RedactValue;
  /** Ends what a crash left of these processes, and removes their files. */
  endSurvivors: (processes: ProcessLine[]) => Promise<void>;
  lookEveryMs?: number;
}

/** Runs on files: one journal each, driven by the process that holds the run's lock. */
export class EmbeddedHost implements RunHost, AgentSignals {
  readonly #storage: RunStorage;
  readonly #parts: EmbeddedHostParts;
  readonly #numbers: EventNumbers;
  readonly #signals: SignalFiles;
  readonly #snapshots: Snapshots;
  readonly #ended: EndedRuns;
  /** How many runs this process drives now. */
  #driving = 0;

  constructor(storage: RunStorage, parts: EmbeddedHostParts) {
    const { disk, folders, locks } = storage;
    const { journals: folder, lastEvent: file } = folders;
    this.#storage = storage;
    this.#parts = parts;
    this.#numbers = new EventNumbers({ disk, locks, folder, file, boot: parts.boot });
    this.#signals = signalFiles(disk, folders.signals);
    this.#snapshots = runSnapshots(disk, folders);
    this.#ended = new EndedRuns(disk, folders.endedRuns);
  }

  async start(wantedId: string, pinned: Redacted<PinnedRun>): Promise<string> {
    const { disk, folders } = this.#storage;
    disk.makeFolder(folders.journals);
    for (let number = 1; ; number++) {
      const id = number === 1 ? wantedId : `${wantedId}-${number}`;
      const path = runPaths.journal(folders, id);
      if (disk.stamp(path)) continue;
      const createJournal = (n: number): false | { line: RunStarted; size: number } => {
        const line = this.#firstLine(n, id, pinned);
        const bytes = Buffer.from(`${JSON.stringify(journalLine.parse(line))}\n`);
        return disk.create(path, bytes, 0o600) && { line, size: bytes.length };
      };
      const journal = await this.#numbers.assign(id, () => 0, createJournal);
      if (!journal) continue;
      this.#keepSnapshot(startState(journal.line), journal.size);
      return id;
    }
  }

  #firstLine(n: number, workflow_id: string, pinned: Redacted<PinnedRun>): RunStarted {
    const { bead, grimoire } = pinned;
    const at = this.#nowIso();
    const names = { workflow_id, bead_id: bead.id, grimoire: grimoire.name };
    return { type: "workflow.started", n, at, version: journalVersion, ...names, pinned };
  }

  #nowIso(): string {
    return new Date(this.#parts.nowMs()).toISOString();
  }

  async drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders, drivers } = this.#storage;
    if (!disk.stamp(runPaths.journal(folders, runId))) {
      throw new ClewError("unknown_run", `there is no run ${runId}`, "clew run list shows those that exist");
    }
    const release = drivers.tryAcquire(runId);
    if (!release) return { kind: "busy" };
    try {
      return await this.#drive(runId, options);
    } finally {
      release();
    }
  }

  async signal(runId: string, signal: Signal, to: StepAddress | null, by?: SignalOrigin): Promise<void> {
    this.#putSignal(runId, signal, to, by);
  }

  async signalAgent(runId: string, signal: AgentSignal, to: StepAddress, by: SignalOrigin): Promise<string> {
    return this.#putSignal(runId, signal, to, by);
  }

  async withdraw(runId: string, signalId: string): Promise<void> {
    this.#signals.remove(runId, signalId);
  }

  #putSignal(runId: string, signal: Signal, to: StepAddress | null, by: SignalOrigin | undefined): string {
    const { redact, newId } = this.#parts;
    const at = this.#nowIso();
    const id = newId();
    const redacted = { signal: redact(signal), ...(by && { by: redact(by) }) };
    this.#signals.put(runId, ofRedactedParts({ id, at, to, ...redacted }));
    return id;
  }

  async #drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders } = this.#storage;
    const { pid, boot, endSurvivors } = this.#parts;
    let keepSnapshot = (): void => undefined;
    const journal = new RunJournal(runId, runPaths.journal(folders, runId), {
      disk,
      numbers: this.#numbers,
      outputs: outputFiles(disk, runPaths.outputs(folders, runId)),
      digest: this.#snapshots.readDigest(runId),
      nowIso: () => this.#nowIso(),
      isOnlyRun: () => this.#driving === 1,
      onLine: (line) => {
        options.onLine?.(line);
        keepSnapshot();
      },
    });
    keepSnapshot = this.#snapshotKeeper(journal);
    this.#driving++;
    try {
      // A killed driver may have left lines that are not synced, and the run is built on them.
      await journal.sync();
      await endSurvivors(journal.index.openProcesses);
      if (journal.index.endStatus) {
        for (const { id } of this.#signals.list(runId)) this.#signals.remove(runId, id);
        return { kind: "stopped", status: journal.index.endStatus };
      }
      journal.line(ofRedactedParts({ type: "run.driven", pid, boot }));
      const end = (await this.#cancelIfAsked(journal)) ?? (await this.#interpret(journal, options));
      this.#keepEnd(journal);
      return end;
    } finally {
      this.#driving--;
      journal.close();
    }
  }

  /**
   * Cancels the run without interpreting it first, because that may be what fails. Undefined when there is no cancel, or
   * when a landing that was cut off has to be mended first.
   */
  async #cancelIfAsked(journal: RunJournal): Promise<DriveEnd | undefined> {
    const { runId, index, state } = journal;
    const { runningMs: running_ms } = index;
    const cancel = this.#signals.list(runId).find(({ signal }) => signal.kind === "cancel");
    if (cancel && !index.hasSignal(cancel.id)) journal.line(signalLine(cancel, true, running_ms));
    if (!index.isCancelled || index.landings.all().length > 0) return undefined;
    await journal.event(endEvent("cancelled", { running_ms, usage: state.usage }));
    await journal.sync();
    for (const { id } of this.#signals.list(runId)) this.#signals.remove(runId, id);
    return { kind: "stopped", status: "cancelled" };
  }

  /** When the run waits for a person, the interpreter's promise never settles, and is dropped. */
  async #interpret(journal: RunJournal, { handlers, signal: interrupt }: DriveOptions): Promise<DriveEnd> {
    const { redact, elapsedMs, pid, lookEveryMs = 100 } = this.#parts;
    const signals = this.#signals;
    const port = new FilePort({ journal, signals, handlers, redact, elapsedMs, interrupt, lookEveryMs, pid });
    const runToEnd = async (): Promise<RunEnd> => {
      const end = await interpret(journal.pinned, port);
      await port.takeForAgents();
      const { usage } = journal.state;
      await journal.event(endEvent(end, { running_ms: port.runningMs, usage }));
      await journal.sync();
      return end;
    };
    const stopWatching = port.watch();
    try {
      return { kind: "stopped", status: await Promise.race([runToEnd(), port.stopped]) };
    } catch (error) {
      if (error instanceof Interrupted) return { kind: "interrupted" };
      throw error;
    } finally {
      await stopWatching();
    }
  }

  #keepSnapshot(state: RunState, bytes: number): void {
    ifPossible(() => this.#snapshots.write(state, bytes));
  }

  /** The drive is over. If the run ended, the snapshots of runs that ended long ago are removed. */
  #keepEnd({ state, digest, bytes }: RunJournal): void {
    this.#keepSnapshot(state, bytes);
    ifPossible(() => this.#snapshots.writeDigest(digest.digest, bytes));
    const endedRun = endedRow(state, bytes);
    if (!endedRun) return;
    ifPossible(() => this.#ended.add([endedRun]));
    ifPossible(() => this.#snapshots.removeOld(this.#parts.nowMs()));
  }

  /** Writes the snapshot when the status changes, and now and then. */
  #snapshotKeeper(journal: RunJournal): () => void {
    const { elapsedMs } = this.#parts;
    let writtenMs = -Infinity;
    let digestWrittenMs = elapsedMs();
    let status: string | undefined;
    return () => {
      const nowMs = elapsedMs();
      if (journal.state.status === status && nowMs - writtenMs < snapshotEveryMs) return;
      this.#keepSnapshot(journal.state, journal.bytes);
      writtenMs = nowMs;
      ({ status } = journal.state);
      if (nowMs - digestWrittenMs < digestEveryMs) return;
      ifPossible(() => this.#snapshots.writeDigest(journal.digest.digest, journal.bytes));
      digestWrittenMs = nowMs;
    };
  }
}

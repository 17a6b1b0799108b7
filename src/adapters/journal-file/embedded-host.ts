import { ClewError } from "../../contract/errors.ts";
import { journalLine, journalVersion, type JournalLine } from "../../contract/run-journal.ts";
import type { Signal, StepAddress } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import { assumeRedacted, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";
import { interpret, type RunEnd } from "../../run/interpreter.ts";
import { startState, type RunState } from "../../run/run-state.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../run/run-host.ts";
import type { Disk } from "../files/disk.ts";
import type { Locks } from "../files/lock.ts";
import type { HeldLocks } from "../files/held-lock.ts";
import { endedRow, EndedRuns } from "./ended-runs.ts";
import { EventNumbers } from "./event-numbers.ts";
import { FilePort, Interrupted } from "./file-port.ts";
import type { ProcessLine } from "./journal-index.ts";
import { OutputFiles } from "./output-files.ts";
import { RunJournal } from "./run-journal.ts";
import { runPaths, type RunFolders } from "../layout.ts";
import { SignalFiles } from "./signal-files.ts";
import { Snapshots } from "./snapshots.ts";

/** At most this often, a running run's snapshot is written. */
const snapshotEveryMs = 250;
/** And the digest, which grows with the number of steps, this often. */
const digestEveryMs = 2_000;

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
  redact: RedactValue;
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
  readonly #ended: EndedRuns;
  /** How many runs this process drives now. */
  #driving = 0;

  constructor(parts: HostParts) {
    const { disk, folders, locks, boot } = parts;
    this.#parts = parts;
    this.#numbers = new EventNumbers({ disk, locks, folder: folders.journals, file: folders.lastEvent, boot });
    this.#signals = new SignalFiles(disk, folders.signals);
    this.#snapshots = new Snapshots(disk, folders);
    this.#ended = new EndedRuns(disk, folders.endedRuns);
  }

  async start(wantedId: string, pinned: Redacted<PinnedRun>): Promise<string> {
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
      const created = await this.#numbers.assign(id, () => 0, make);
      if (!created) continue;
      this.#keepSnapshot(startState(created.line), created.size);
      return id;
    }
  }

  async drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders, drivers } = this.#parts;
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
    const { redact, newId, nowMs } = this.#parts;
    const at = new Date(nowMs()).toISOString();
    const redacted = { signal: redact(signal), ...(by && { by: redact(by) }) };
    this.#signals.put(runId, assumeRedacted({ id: newId(), at, to, ...redacted }));
  }

  async #drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    const { disk, folders, nowMs, pid, boot, endSurvivors } = this.#parts;
    const outputs = new OutputFiles(disk, runPaths.outputs(folders, runId));
    let keepSnapshot = (): void => undefined;
    const journal = new RunJournal(runId, runPaths.journal(folders, runId), {
      disk,
      numbers: this.#numbers,
      outputs,
      digest: this.#snapshots.readDigest(runId),
      nowIso: () => new Date(nowMs()).toISOString(),
      isOnlyRun: () => this.#driving === 1,
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
      if (journal.index.endStatus) {
        for (const { id } of this.#signals.list(runId)) this.#signals.remove(runId, id);
        return { kind: "stopped", status: journal.index.endStatus };
      }
      journal.line(assumeRedacted({ type: "run.driven", pid, boot }));
      const end = (await this.#cancelIfAsked(journal)) ?? (await this.#interpret(journal, outputs, options));
      this.#keepEnd(journal);
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
  async #cancelIfAsked(journal: RunJournal): Promise<DriveEnd | undefined> {
    const { runId, index, state } = journal;
    const { runningMs: running_ms } = index;
    const cancel = this.#signals.list(runId).find(({ signal }) => signal.kind === "cancel");
    if (cancel && !index.hasSignal(cancel.id)) {
      const { id, signal, to, by } = cancel;
      journal.line(assumeRedacted({ type: "run.signal", id, signal, to, taken: true, ...(by && { by }), running_ms }));
    }
    if (!index.isCancelled || index.landings.all().length > 0) return undefined;
    await journal.event(assumeRedacted({ type: "workflow.cancelled", running_ms, usage: state.usage }));
    await journal.sync();
    for (const { id } of this.#signals.list(runId)) this.#signals.remove(runId, id);
    return { kind: "stopped", status: "cancelled" };
  }

  /** A run that waits leaves its interpreter waiting for ever, and forgotten. */
  async #interpret(journal: RunJournal, outputs: OutputFiles, { handlers, signal }: DriveOptions): Promise<DriveEnd> {
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
    const runToEnd = async (): Promise<RunEnd> => {
      const end = await interpret(journal.pinned, port);
      const { usage } = journal.state;
      await journal.event(assumeRedacted({ type: `workflow.${end}`, running_ms: port.runningMs, usage }));
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

  /** Nobody drives the run any more for now. When it is over, what is kept of others that ended long ago goes. */
  #keepEnd({ state, digest, bytes }: RunJournal): void {
    this.#keepSnapshot(state, bytes);
    ifPossible(() => this.#snapshots.writeDigest(digest.digest, bytes));
    const endedRun = endedRow(state, bytes);
    if (!endedRun) return;
    ifPossible(() => this.#ended.add([endedRun]));
    ifPossible(() => this.#snapshots.removeOld(this.#parts.nowMs()));
  }

  /** Written when the status changes, and now and then. */
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

/** A projection can be made again; a run does not fail for one that cannot be written. */
function ifPossible(write: () => void): void {
  try {
    write();
  } catch {
    // Whoever reads folds the journal itself.
  }
}

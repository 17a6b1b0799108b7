import type { Redacted } from "../../contract/redacted.ts";
import { ClewError } from "../../contract/errors.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import { runIdPattern, type Signal, type StepAddress } from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { SignalOrigin } from "../../contract/run-fields.ts";
import type { DriveEnd, DriveOptions, RunHost } from "../../run/run-host.ts";
import { Drive } from "./drive.ts";
import { connectionLost, DriverSession } from "./driver-session.ts";
import { runStartedEvent } from "./events.ts";
import { executeRun, type HostEnvironment } from "./execute-run.ts";
import { Presence } from "./presence.ts";
import { readBack } from "./read-back.ts";
import { RunTables } from "./run-tables.ts";
import { loadSdk } from "./sdk.ts";
import { signalTopic, type SentSignal } from "./signals.ts";
import { notAvailable, Workflows } from "./workflows.ts";

export interface DbosHostParts extends HostEnvironment {
  /** `postgresql://user:password@host:port/database` */
  url: string;
  /** Unique over all machines. */
  newId: () => string;
  /** The longest delay before a drive begins. */
  lookEveryMs?: number;
}

/**
 * Runs on Postgres, shared by many machines: each run is one DBOS workflow. The process that holds the run's lock drives it;
 * the locks of a dead process are free, so that another can go on. One host in a process.
 */
export class DbosHost implements RunHost {
  readonly #parts: DbosHostParts;
  readonly #executorId: string;
  readonly #presence: Presence;
  readonly #workflows: Workflows;
  readonly #tables: RunTables;
  readonly #drives: Map<string, Drive>;

  static async open(parts: DbosHostParts): Promise<DbosHost> {
    const { sdk, pg } = await loadSdk();
    const { url, newId, lookEveryMs = 100 } = parts;
    const drives = new Map<string, Drive>();
    const executorId = newId();
    const presence = new Presence({
      pg,
      url,
      executorId,
      onCancel: (runId) => drives.get(runId)?.stop("cancelled"),
      onLost: () => {
        for (const drive of drives.values()) void drive.lose(connectionLost());
      },
      onReturn: () => workflows.registerQueue(),
    });
    // The lock comes before the queue: other processes remove a queue whose process does not hold its lock.
    await presence.session().catch((cause: unknown) => {
      throw notAvailable(url, cause);
    });
    const workflows: Workflows = await Workflows.launch({
      sdk,
      pg,
      url,
      executorId,
      lookEveryMs,
      body: (runId, pinned) =>
        executeRun(runId, readBack<PinnedRun>(pinned), drives.get(runId), {
          ...parts,
          sdk,
          tables: new RunTables(workflows.pool),
        }),
    }).catch(async (error: unknown) => {
      await presence.close();
      throw error;
    });
    await new RunTables(workflows.pool).make();
    return new DbosHost(parts, executorId, presence, workflows, drives);
  }

  private constructor(
    parts: DbosHostParts,
    executorId: string,
    presence: Presence,
    workflows: Workflows,
    drives: Map<string, Drive>,
  ) {
    this.#parts = parts;
    this.#executorId = executorId;
    this.#presence = presence;
    this.#workflows = workflows;
    this.#tables = new RunTables(workflows.pool);
    this.#drives = drives;
  }

  async start(wantedId: string, pinned: Redacted<PinnedRun>): Promise<string> {
    const { nowMs } = this.#parts;
    for (let number = 1; ; number++) {
      const id = checked(number === 1 ? wantedId : `${wantedId}-${number}`);
      const isNew = await this.#workflows.inTransaction(async (transaction) => {
        const tables = new RunTables(transaction);
        if (!(await tables.add(id))) return false;
        await this.#workflows.add(transaction, id, JSON.stringify(pinned));
        const { key, event } = runStartedEvent(id, pinned);
        await tables.event(id, key, { ...event, at: new Date(nowMs()).toISOString() });
        return true;
      });
      if (isNew) return id;
    }
  }

  async drive(runId: string, options: DriveOptions): Promise<DriveEnd> {
    if (this.#drives.has(runId)) return { kind: "busy" };
    const drive = new Drive(options);
    this.#drives.set(runId, drive);
    let release: (() => Promise<void>) | undefined;
    try {
      const session = await this.#presence.session();
      release = await session.tryAcquire(`clew run ${runId}`);
      return release ? await this.#drive(runId, drive) : { kind: "busy" };
    } finally {
      drive.close();
      this.#drives.delete(runId);
      await release?.();
      drive.closed.resolve();
    }
  }

  async signal(runId: string, signal: Signal, to: StepAddress | null, by?: SignalOrigin): Promise<void> {
    const { redact, newId } = this.#parts;
    const message: SentSignal = { id: newId(), signal: redact(signal), to, ...(by && { by: redact(by) }) };
    const isCancel = signal.kind === "cancel";
    await this.#workflows.inTransaction(async (transaction) => {
      await new RunTables(transaction).countSignal(runId, isCancel);
      await this.#workflows.send(transaction, runId, JSON.stringify(message), signalTopic, message.id);
      if (isCancel) await transaction.query(DriverSession.cancelNotice, [runId]);
    });
  }

  /** A run's whole log; without a run, the events of all runs. */
  journal(runId?: string): Promise<JournalLine[]> {
    return this.#tables.journal(runId);
  }

  /** Runs that have something to do, and that this process does not drive. */
  async pendingRuns(): Promise<string[]> {
    return (await this.#tables.unfinished()).filter((runId) => !this.#drives.has(runId));
  }

  /** Removes the queues of dead processes. */
  async removeDeadQueues(): Promise<void> {
    for (const executorId of await this.#workflows.executors()) {
      if (executorId === this.#executorId) continue;
      await this.#presence.ifDead(executorId, () => this.#workflows.removeQueue(executorId));
    }
  }

  /** Interrupts all drives of this process, and closes all connections. */
  async close(): Promise<void> {
    const drives = [...this.#drives.values()];
    for (const drive of drives) drive.stop("interrupted");
    await Promise.all(drives.map(({ closed }) => closed.promise));
    await this.#presence.close();
    await this.#workflows.close();
  }

  async #drive(runId: string, drive: Drive): Promise<DriveEnd> {
    const { status, cancelAsked } = await this.#tables.row(runId);
    if (status === "completed" || status === "cancelled") return { kind: "stopped", status };
    // From here on, a cancel comes as a notification.
    if (cancelAsked) drive.stop("cancelled");
    await this.#tables.setStatus(runId, "running");
    await this.#workflows.takeOver(runId);
    try {
      return await drive.outcome.promise;
    } finally {
      if (!drive.isEnded && !drive.isLost) await this.#workflows.setAside(runId);
      drive.released.resolve();
    }
  }
}

function checked(id: string): string {
  if (runIdPattern.test(id)) return id;
  throw new ClewError("invalid_id", `${JSON.stringify(id)} is no run id`, "ids are of a-z, 0-9 and -, 128 at most");
}

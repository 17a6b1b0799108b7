import { ofRedactedParts, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import type { RunEvent } from "../../contract/run-journal.ts";
import {
  addressText,
  type Outcome,
  type Preparation,
  type Signal,
  type StepAddress,
  type StepWork,
  type Usage,
  type Wait,
} from "../../contract/run.ts";
import type { PinnedRun } from "../../contract/pinned-run.ts";
import type { StepInput } from "../../contract/step-input.ts";
import { deadlineOf, type Deadline } from "../../run/deadline.ts";
import type { DurablePort, Iteration, RecordedEvent } from "../../run/durable-port.ts";
import {
  completedEvent,
  eventWithoutWork,
  preparedLine,
  preparingLine,
  signalLine,
  startedEvent,
  waitingEvent,
  type StepEnd,
  type StoreResult,
  type NewEvent,
  type NewLine,
} from "../../run/host-events.ts";
import type { Budget, WorkContext } from "../../run/handlers.ts";
import { readBack } from "./read-back.ts";
import { answersWait } from "../../run/signal-rules.ts";
import { tooSlow } from "../../run/step-results.ts";
import { foldLine, startState, type RunState } from "../../run/run-state.ts";
import { after } from "../system/timer.ts";
import { DriveEnded, type Drive } from "./drive.ts";
import { withKey, loopKey, runStartedEvent, type KeyedEvent } from "./events.ts";
import { LogWriter } from "./log-writer.ts";
import { interruptedStep } from "./interrupted-step.ts";
import type { OtherLine, RunTables } from "./run-tables.ts";
import type { Sdk } from "./sdk.ts";
import { signalTopic, type SentSignal } from "./signals.ts";
import { performWork } from "./step-work.ts";

export interface DbosPortParts {
  sdk: Sdk;
  tables: RunTables;
  runId: string;
  pinned: Redacted<PinnedRun>;
  drive: Drive;
  redact: RedactValue;
  nowIso: () => string;
  /** A clock that never jumps. */
  elapsedMs: () => number;
}

/** What DBOS stores of an attempt. */
interface StoredOutcome {
  outcome: StepEnd;
  /** Whether work was begun at all. */
  begun: boolean;
  tookMs: number;
  runningMs: number;
}

/** More than enough for a message that is known to have been sent. */
const receiveLimitSeconds = 60;

/**
 * A run as a DBOS workflow. DBOS stores the outcomes of steps and the signals by their place in the order of calls; so each
 * call of the interpreter leads to the same calls of DBOS every time, and `recall` never answers. Events are written to
 * Clew's tables, by their key.
 */
export class DbosPort implements DurablePort {
  readonly #parts: DbosPortParts;
  readonly #recordedAt: Map<string, number>;
  readonly #log: LogWriter;
  readonly #beganMs: number;
  readonly #runningBeforeMs: number;
  /** The run's own time limit counts from this running time. */
  #runBegunMs = 0;
  #signalsReceived = 0;
  /** Folded from all events, new or replayed. */
  readonly #state: RunState;
  /** Why a step ended without an outcome. */
  #fault: Error | undefined;

  /** `recordedAt` has the running time of each recorded event and line, by its key. */
  constructor(parts: DbosPortParts, recordedAt: Map<string, number>) {
    const { tables, runId, pinned, drive, elapsedMs, nowIso } = parts;
    this.#parts = parts;
    this.#recordedAt = recordedAt;
    this.#state = startState(toRunEvent(runStartedEvent(runId, pinned).event, nowIso()));
    this.#log = new LogWriter(async (lines) => {
      await tables.lines(runId, lines);
      lines.forEach(drive.onLine);
    });
    this.#beganMs = elapsedMs();
    this.#runningBeforeMs = [...recordedAt.values()].reduce((most, ms) => Math.max(most, ms), 0);
  }

  /** Time that the run has been worked on over all its drivers, and its usage. */
  get totals(): { running_ms: number; usage: Usage } {
    return { running_ms: this.#runningMs, usage: this.#state.usage };
  }

  get #runningMs(): number {
    return Math.round(this.#runningBeforeMs + this.#parts.elapsedMs() - this.#beganMs);
  }

  recall(): undefined {
    return undefined;
  }

  async perform(work: StepWork<StepInput>): Promise<Outcome> {
    const { redact, nowIso } = this.#parts;
    const { path, attempt, input, warnings } = work;
    const { outcome, timing } = await this.#do(work, addressText(work), async () => {
      await this.recordEvent(withKey(startedEvent(work, redact(input), this.#runningMs)));
      for (const message of warnings)
        this.#log.add(redact({ type: "step.warning", at: nowIso(), path, attempt, message }));
    });
    if (timing) await this.recordEvent(withKey(completedEvent(work, outcome, timing, storeWhole)));
    return outcome;
  }

  async prepare(work: StepWork<Preparation>): Promise<Outcome> {
    const name = `${work.input.kind} ${addressText(work)}`;
    const { outcome, timing } = await this.#do(work, name, () =>
      this.#recordLine(`preparing ${name}`, preparingLine(work, this.#runningMs)),
    );
    if (timing) await this.#recordLine(`prepared ${name}`, preparedLine(work, outcome, timing, storeWhole));
    return outcome;
  }

  /** DBOS stores the outcome under the name; `timing` is undefined when no work was begun. */
  async #do(
    work: StepWork,
    name: string,
    recordStart: () => Promise<void>,
  ): Promise<{ outcome: StepEnd; timing: Parameters<typeof completedEvent>[2] | undefined }> {
    const { DBOS } = this.#parts.sdk;
    const { outcome, begun, tookMs, runningMs } = JSON.parse(
      await DBOS.runStep(() => this.#attempt(work, recordStart), { name }).catch((error: unknown) => {
        throw this.#fault ?? error;
      }),
    ) as StoredOutcome;
    if (!begun && outcome.kind !== "timeout") return { outcome, timing: undefined };
    const given = outcome.kind === "timeout" ? outcome.given : undefined;
    return { outcome, timing: { duration_ms: tookMs, running_ms: runningMs, given } };
  }

  async record(event: RecordedEvent): Promise<void> {
    const running = { running_ms: this.#runningMs, begunMs: (loop: StepAddress) => this.#begunMs(loop) };
    await this.recordEvent(withKey(eventWithoutWork(event, running, storeWhole)));
  }

  /** Never stops a loop; its steps are stopped instead. DBOS stores no outcome of an iteration. */
  async iterate({ path, iteration }: Iteration): Promise<undefined> {
    const line = { type: "loop.iteration", path, iteration, running_ms: this.#runningMs } as const;
    await this.#recordLine(`iteration ${path}[${iteration}]`, ofRedactedParts(line));
  }

  async wait(wait: Wait): Promise<Signal> {
    const { sdk, tables, runId, pinned, drive } = this.#parts;
    const at = { runId, worktree: pinned.folder, running_ms: this.#runningMs };
    const waitEvent = withKey(waitingEvent(wait, at, storeWhole));
    if (drive.isStopped("cancelled") && !this.#recordedAt.has(waitEvent.key)) return { kind: "cancel" };
    await this.recordEvent(waitEvent);
    for (;;) {
      const { signalsSent } = await tables.row(runId);
      if (signalsSent <= this.#signalsReceived) {
        await tables.setWaiting(runId, wait.status, this.#signalsReceived);
        throw new DriveEnded({ kind: "stopped", status: wait.status });
      }
      const text = await sdk.DBOS.recv<string>(signalTopic, { timeoutSeconds: receiveLimitSeconds });
      if (text === null) throw new Error(`a signal to ${runId} was counted and is not there`);
      const sent = readBack<SentSignal>(text);
      this.#signalsReceived++;
      const taken = answersWait(sent.signal, sent.to, wait);
      await this.#recordLine(`signal ${sent.id}`, signalLine(sent, taken, this.#runningMs));
      if (!taken) continue;
      // A retry after a timeout grants the whole time again.
      if (sent.signal.kind === "retry" && sent.signal.limits)
        this.#state.limits = { ...this.#state.limits, ...sent.signal.limits };
      if (wait.reason === "timeout") this.#runBegunMs = this.#recordedAt.get(waitEvent.key) ?? this.#runningMs;
      return sent.signal;
    }
  }

  /** Writes an event, unless it was recorded before. */
  async recordEvent({ key, event }: KeyedEvent): Promise<void> {
    const { tables, runId, drive, nowIso } = this.#parts;
    foldLine(this.#state, toRunEvent(event, nowIso()));
    if (this.#recordedAt.has(key)) return;
    const line = await tables.event(runId, key, { ...event, at: nowIso() });
    this.#recordedAt.set(key, "running_ms" in event ? event.running_ms : 0);
    if (line) drive.onLine(line);
  }

  async #recordLine(key: string, line: Redacted<NewLine>): Promise<void> {
    const { tables, runId, drive, nowIso } = this.#parts;
    if (this.#recordedAt.has(key)) return;
    const written: Redacted<OtherLine> = { ...line, at: nowIso() };
    await tables.lines(runId, [written], key);
    this.#recordedAt.set(key, 0);
    drive.onLine(written);
  }

  /** The outcome as JSON text: DBOS's own serialisation refuses some names of fields. */
  async #attempt(work: StepWork, recordStart: () => Promise<void>): Promise<string> {
    try {
      return JSON.stringify(await this.#work(work, recordStart));
    } catch (error) {
      this.#fault = error instanceof Error ? error : new Error(String(error));
      // DBOS would store any other error as the step's final outcome.
      throw new this.#parts.sdk.DBOSWorkflowConflictError(this.#parts.runId);
    }
  }

  async #work(work: StepWork, recordStart: () => Promise<void>): Promise<StoredOutcome> {
    const { drive, redact } = this.#parts;
    if (drive.isStopped("interrupted")) throw new DriveEnded({ kind: "interrupted" });
    if (drive.isStopped("cancelled")) return this.#storedOutcome({ kind: "cancelled" }, undefined);
    const deadline = this.#deadlineOf(work);
    if (deadline.remainingMs <= 0 && deadline.outcome) return this.#storedOutcome(deadline.outcome, undefined);
    const begunMs = this.#runningMs;
    await recordStart();
    const { result, ended } = await performWork(work, deadline.remainingMs, {
      ...this.#parts,
      log: this.#log,
      ...(await this.#interruptedStep(work)),
    });
    // A completed landing counts, whatever ended the work meanwhile.
    if (work.input.kind === "merge" && result.success) {
      return this.#storedOutcome({ kind: "done", result: redact(result) }, begunMs);
    }
    if (ended === "interrupted") throw new DriveEnded({ kind: "interrupted" });
    if (ended === "cancelled") return this.#storedOutcome({ kind: "cancelled" }, begunMs);
    if (ended === "timeout" && deadline.outcome) {
      return this.#storedOutcome({ ...deadline.outcome, given: redact({ ...result, success: false }) }, begunMs);
    }
    const done = ended === "timeout" ? tooSlow(redact(result), work.timeout_ms) : redact(result);
    return this.#storedOutcome({ kind: "done", result: done }, begunMs);
  }

  async #interruptedStep(work: StepWork): Promise<Pick<WorkContext, "landing" | "verification" | "agent">> {
    const { tables, runId } = this.#parts;
    const { kind } = work.input;
    const lines = kind === "script" || kind === "worktree" ? [] : await tables.journal(runId);
    const { cutOff, ...open } = interruptedStep(work, lines);
    // An answer cannot reach an agent at work here: it is stopped at once, and goes on when it is answered.
    return { ...open, agent: { cutOff, budget: this.#budget() } };
  }

  #budget(): Budget {
    const { limits = {}, usage, rounds = 0 } = this.#state;
    return { limits, usage, rounds, runningMs: () => this.#runningMs, after };
  }

  #storedOutcome(outcome: StoredOutcome["outcome"], begunMs: number | undefined): StoredOutcome {
    const runningMs = this.#runningMs;
    return { outcome, begun: begunMs !== undefined, tookMs: runningMs - (begunMs ?? runningMs), runningMs };
  }

  #deadlineOf(work: StepWork): Deadline {
    const { pinned } = this.#parts;
    return deadlineOf(work, {
      runningMs: this.#runningMs,
      runBegunMs: this.#runBegunMs,
      runLimitMs: pinned.grimoire.timeout_ms ?? pinned.settings.timeouts_ms.run,
      begunMs: (loop) => this.#begunMs(loop),
    });
  }

  #begunMs({ path, attempt }: StepAddress): number {
    return this.#recordedAt.get(loopKey(path, attempt)) ?? this.#runningMs;
  }
}

/** The database stores outputs of any length. */
const storeWhole: StoreResult = (result) => result;

/** As a line of a journal; the tables assign its number. */
function toRunEvent<Body extends NewEvent>(event: Body, at: string): Extract<RunEvent, { type: Body["type"] }> {
  return { ...event, n: 0, at } as unknown as Extract<RunEvent, { type: Body["type"] }>;
}

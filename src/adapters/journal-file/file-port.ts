import {
  addressText,
  type Outcome,
  type Preparation,
  type Signal,
  type StepAddress,
  type StepResult,
  type StepWork,
  type Wait,
} from "../../contract/run.ts";
import { ofRedactedParts, type Redacted, type RedactValue } from "../../contract/redacted.ts";
import type { StepInput } from "../../contract/step-input.ts";
import { deadlineOf, type Deadline } from "../../run/deadline.ts";
import type { DurablePort, Iteration, RecordedEvent, Stopped } from "../../run/durable-port.ts";
import type { Budget, EndReason, Handler, Handlers } from "../../run/handlers.ts";
import {
  completedEvent,
  eventWithoutWork,
  preparedLine,
  preparingLine,
  startedEvent,
  waitingEvent,
  type StepEnd,
  type StoreResult,
} from "../../run/host-events.ts";
import { redactNote } from "../../run/redact-note.ts";
import { noHandler, noResult, outOfTime, tooSlow } from "../../run/step-results.ts";
import { RunClock } from "../system/run-clock.ts";
import { LiveHandle } from "./live-handle.ts";
import { LivePermissions } from "./live-permissions.ts";
import type { RunJournal } from "./run-journal.ts";
import type { SignalFiles } from "./signal-files.ts";
import { SignalTaker } from "./signal-taker.ts";
import { StepWatch } from "./step-watch.ts";

/** The driver was asked to stop; the current step is done again when the run goes on. */
export class Interrupted extends Error {}

export interface FilePortParts {
  journal: RunJournal;
  signals: SignalFiles;
  handlers: Handlers;
  redact: RedactValue;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  /** Ends the current work. */
  interrupt: AbortSignal | undefined;
  /** How often to look for signals while a step runs. */
  lookEveryMs: number;
  pid: number;
}

/** Writes to the journal when work starts and when it is completed. */
interface AttemptRecorder {
  started: (runningMs: number) => Promise<void>;
  completed: (outcome: StepEnd, timing: Parameters<typeof completedEvent>[2]) => Promise<void>;
}

/** A run on its file: every answer comes from the journal, or is written there before it is returned. */
export class FilePort implements DurablePort {
  /** Resolves when the run waits for a person, so that this driver has nothing more to do. */
  readonly stopped: Promise<Wait["status"]>;
  #stop!: (status: Wait["status"]) => void;
  readonly #parts: FilePortParts;
  readonly #clock: RunClock;
  readonly #permissions: LivePermissions;
  readonly #handle = new LiveHandle();
  #yieldedMs = -Infinity;
  readonly #taker: SignalTaker;
  readonly #watch: StepWatch;

  constructor(parts: FilePortParts) {
    this.#parts = parts;
    this.stopped = new Promise((resolve) => (this.#stop = resolve));
    this.#clock = new RunClock(parts.elapsedMs, parts.journal.index.runningMs);
    this.#permissions = new LivePermissions(parts.journal, this.#clock);
    const live = { permissions: this.#permissions, handle: this.#handle };
    this.#taker = new SignalTaker({ ...parts, runningMs: () => this.runningMs, ...live });
    this.#watch = new StepWatch({ ...parts, taker: this.#taker, runningMs: () => this.runningMs });
  }

  /** Time that the run has been worked on, over all its drivers. */
  get runningMs(): number {
    return this.#clock.runningMs;
  }

  /** Takes signals while a step works, and ends the step on cancel or interrupt. Returns the function that stops this. */
  watch(): () => Promise<void> {
    return this.#watch.start();
  }

  /** The run is about to end: what came too late for an agent is recorded so. */
  takeForAgents(): Promise<void> {
    return this.#taker.takeForAgents();
  }

  recall(address: StepAddress, kind?: Preparation["kind"]): Outcome | undefined {
    return this.#parts.journal.outcome(address, kind);
  }

  perform(work: StepWork<StepInput>): Promise<Outcome> {
    const { journal, redact } = this.#parts;
    const { input } = work;
    return this.#do(work, {
      started: async (runningMs) => {
        await journal.event(startedEvent(work, redact(input), runningMs));
        this.#logWarnings(work);
      },
      completed: (outcome, timing) => journal.event(completedEvent(work, outcome, timing, this.#store)),
    });
  }

  async prepare(work: StepWork<Preparation>): Promise<Outcome> {
    const { journal } = this.#parts;
    const recorded = journal.outcome(work, work.input.kind);
    if (recorded) return recorded;
    return this.#do(work, {
      started: async (runningMs) => {
        journal.line(preparingLine(work, runningMs));
        this.#logWarnings(work);
      },
      completed: async (outcome, timing) => journal.line(preparedLine(work, outcome, timing, this.#store)),
    });
  }

  #logWarnings({ path, attempt, warnings }: StepWork): void {
    const { journal, redact } = this.#parts;
    for (const message of warnings) journal.line(redact({ type: "step.warning", path, attempt, message }));
  }

  /** The outcome is on disk before anything depends on it. */
  async #do(work: StepWork, recorder: AttemptRecorder): Promise<Outcome> {
    const { journal } = this.#parts;
    await this.#taker.takeIfDue();
    this.#refuseInterrupted();
    // A landing that was cut off is completed or taken back first.
    if (journal.index.isCancelled && !journal.index.landings.at(work.path)) return { kind: "cancelled" };
    const complete = async (outcome: StepEnd, duration_ms: number, given?: Redacted<StepResult>): Promise<Outcome> => {
      await recorder.completed(outcome, { duration_ms, running_ms: this.runningMs, given });
      await journal.sync();
      return outcome;
    };
    const deadline = this.#deadlineOf(work);
    if (deadline.remainingMs <= 0 && deadline.outcome) return complete(deadline.outcome, 0);
    const began = this.runningMs;
    if (work.input.kind === "script" && this.#timeLimit !== undefined && began >= this.#timeLimit)
      return complete({ kind: "done", result: outOfTime(noResult, this.#timeLimit, began) }, 0);
    await recorder.started(began);
    const { result, ended } = await this.#work(work, deadline);
    const tookMs = this.runningMs - began;
    // A completed landing counts, whatever ended the work meanwhile.
    if (work.input.kind === "merge" && result.success) return complete({ kind: "done", result }, tookMs);
    if (ended === "interrupted") throw new Interrupted();
    if (ended === "cancelled") return complete({ kind: "cancelled" }, tookMs, result);
    if (ended === "limit" && !result.success)
      return complete({ kind: "done", result: outOfTime(result, this.#timeLimit!, this.runningMs) }, tookMs);
    if (ended === "timeout" && deadline.outcome) {
      return complete({ ...deadline.outcome, given: { ...result, success: false } }, tookMs, result);
    }
    return complete({ kind: "done", result: ended === "timeout" ? tooSlow(result, work.timeout_ms) : result }, tookMs);
  }

  async record(event: RecordedEvent): Promise<void> {
    const { journal } = this.#parts;
    const { index } = journal;
    const isRecorded =
      event.kind === "loop_started" ? index.wasRecorded(`loop ${addressText(event)}`) : index.completed(event);
    if (!isRecorded)
      await journal.event(
        eventWithoutWork(event, { running_ms: this.runningMs, begunMs: (loop) => index.begunMs(loop) }, this.#store),
      );
  }

  async iterate({ path, iteration, within }: Iteration): Promise<Stopped | undefined> {
    const { journal } = this.#parts;
    const recorded = journal.index.iteration(path, iteration);
    if (recorded) return recorded === "begun" ? undefined : recorded;
    await this.#yieldToEventLoop();
    this.#refuseInterrupted();
    if (journal.index.isCancelled) return { kind: "cancelled" };
    const { remainingMs, outcome } = this.#deadlineOf({ timeout_ms: Infinity, within });
    const stopped = remainingMs <= 0 ? outcome : undefined;
    const limit = stopped && { stopped: stopped.kind, scope: stopped.scope };
    journal.line(ofRedactedParts({ type: "loop.iteration", path, iteration, ...limit, running_ms: this.runningMs }));
    return stopped;
  }

  async wait(wait: Wait): Promise<Signal> {
    const { journal } = this.#parts;
    const { index } = journal;
    const key = index.waitKey(wait);
    const currentAnswer = (): Signal | undefined =>
      index.answer(key) ?? (index.isCancelled ? { kind: "cancel" } : undefined);
    if (!currentAnswer() && !index.wasRecorded(key)) {
      const at = { runId: journal.runId, worktree: journal.pinned.folder, running_ms: this.runningMs };
      await journal.event(waitingEvent(wait, at, this.#store));
      await journal.sync();
    }
    if (!currentAnswer()) await this.#taker.take(wait);
    const answer = currentAnswer();
    if (answer) return answer;
    this.#stop(wait.status);
    return new Promise(() => undefined);
  }

  /** Lets other work run now and then, and takes signals: a loop that performs nothing must not block either. */
  async #yieldToEventLoop(): Promise<void> {
    const { elapsedMs, lookEveryMs } = this.#parts;
    if (elapsedMs() - this.#yieldedMs < lookEveryMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#yieldedMs = elapsedMs();
    await this.#taker.takeIfDue();
  }

  async #work(
    work: StepWork,
    { remainingMs }: Deadline,
  ): Promise<{ result: Redacted<StepResult>; ended: EndReason | undefined }> {
    const { journal, handlers, redact } = this.#parts;
    const handler = handlers[work.input.kind] as Handler<typeof work.input> | undefined;
    if (!handler) return { result: noHandler(work), ended: undefined };
    const controller = this.#watch.begin();
    if (journal.index.isCancelled) controller.abort("cancelled" satisfies EndReason);
    const stopTimer = this.#clock.after(remainingMs, () => controller.abort("timeout" satisfies EndReason));
    // An agent is stopped gently, by its handler.
    const stopLimit =
      this.#timeLimit === undefined || work.input.kind !== "script"
        ? () => undefined
        : this.#clock.after(this.#timeLimit - this.runningMs, () => controller.abort("limit" satisfies EndReason));
    try {
      const { path, attempt } = work;
      const result = await handler(work, {
        runId: journal.runId,
        pinned: journal.pinned,
        signal: controller.signal,
        log: (note) => journal.line({ ...redactNote(note, redact), path, attempt }),
        logNow: async (note) => {
          journal.line({ ...redactNote(note, redact), path, attempt });
          await journal.sync();
        },
        landing: journal.index.landings.at(path),
        verification: journal.index.verification.current,
        agent: {
          cutOff: journal.index.cutOff(work),
          permissions: this.#permissions.deskAt(work),
          handles: this.#handle.deskAt(work),
          budget: this.#budget(),
        },
      });
      this.#watch.throwFault();
      const ended = controller.signal.aborted ? (controller.signal.reason as EndReason) : undefined;
      return { result: redact(result), ended };
    } finally {
      stopTimer();
      stopLimit();
      this.#permissions.clear();
      this.#handle.clear();
      this.#watch.end();
    }
  }

  /** How long the run may be worked on, by its own limit. */
  get #timeLimit(): number | undefined {
    return this.#parts.journal.state.limits?.max_time_ms;
  }

  #budget(): Budget {
    const { limits = {}, usage, rounds = 0 } = this.#parts.journal.state;
    const clock = this.#clock;
    return { limits, usage, rounds, runningMs: () => clock.runningMs, after: (ms, work) => clock.after(ms, work) };
  }

  readonly #store: StoreResult = (result) => this.#parts.journal.outputs.store(result);

  #deadlineOf(work: Pick<StepWork, "timeout_ms" | "within">): Deadline {
    const { index, pinned } = this.#parts.journal;
    return deadlineOf(work, {
      runningMs: this.runningMs,
      runBegunMs: index.runBegunMs,
      runLimitMs: pinned.grimoire.timeout_ms ?? pinned.settings.timeouts_ms.run,
      begunMs: (loop) => index.begunMs(loop),
    });
  }

  #refuseInterrupted(): void {
    this.#watch.throwFault();
    if (this.#parts.interrupt?.aborted) throw new Interrupted();
  }
}

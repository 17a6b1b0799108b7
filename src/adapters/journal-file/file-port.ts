import {
  addressText,
  StoppedByPerson,
  type Outcome,
  type Preparation,
  type Signal,
  type StepAddress,
  type StepInput,
  type StepResult,
  type Task,
  type Wait,
} from "../../contract/run.ts";
import { deadlineOf, type Deadline } from "../../run/deadline.ts";
import type { DurablePort, Iteration, News, Stopped } from "../../run/durable-port.ts";
import type { EndReason, Handler, Handlers } from "../../run/handlers.ts";
import {
  completedEvent,
  newsEvent,
  preparedLine,
  preparingLine,
  startedEvent,
  waitingEvent,
  type Keep,
} from "../../run/host-events.ts";
import { redactNote } from "../../run/redact-note.ts";
import { answersWait } from "../../run/signal-rules.ts";
import { noHandler, tooSlow } from "../../run/step-results.ts";
import { after } from "../system/timer.ts";
import type { KeptOutputs } from "./kept-outputs.ts";
import type { RunJournal } from "./run-journal.ts";
import type { SignalFiles } from "./signal-files.ts";

/** Somebody asked the driver to stop; the step at hand is done again when the run goes on. */
export class Interrupted extends Error {}

export interface PortParts {
  journal: RunJournal;
  outputs: KeptOutputs;
  signals: SignalFiles;
  handlers: Handlers;
  /** Replaces secrets in every text of a value. */
  redact: <T>(value: T) => T;
  /** A clock that never jumps. */
  elapsedMs: () => number;
  /** Ends the work at hand. */
  interrupt: AbortSignal | undefined;
  /** How often a person's word is looked for while a step runs. */
  lookEveryMs: number;
  pid: number;
}

type Ended = Exclude<Outcome, { kind: "skipped" }>;

/** How the journal is told of work. */
interface Telling {
  begun: (runningMs: number) => Promise<void>;
  ended: (
    outcome: Ended,
    told: { duration_ms: number; running_ms: number; given: StepResult | undefined },
  ) => Promise<void>;
}

/** A run on its file: every answer comes from the journal, or goes there before it is given. */
export class FilePort implements DurablePort {
  /** Resolves when the run waits for a person, and this driver has nothing more to do. */
  readonly rests: Promise<Wait["status"]>;
  #rest!: (status: Wait["status"]) => void;
  readonly #parts: PortParts;
  readonly #beganMs: number;
  readonly #runningBeforeMs: number;
  #lookedMs = -Infinity;
  #breathedMs = -Infinity;
  #taking = Promise.resolve();
  /** Ends the step that works now. */
  #working: AbortController | undefined;
  /** What went wrong while nobody waited for it. */
  #fault: { error: unknown } | undefined;

  constructor(parts: PortParts) {
    this.#parts = parts;
    this.rests = new Promise((resolve) => (this.#rest = resolve));
    this.#beganMs = parts.elapsedMs();
    this.#runningBeforeMs = parts.journal.index.runningMs;
  }

  /** Time that the run has been worked on, over all its drivers. */
  get runningMs(): number {
    return Math.round(this.#runningBeforeMs + this.#parts.elapsedMs() - this.#beganMs);
  }

  /** While a step works, looks for what people say meanwhile, and for who wants to stop. Returns how to end that. */
  watch(): () => Promise<void> {
    const { journal, interrupt, lookEveryMs } = this.#parts;
    const end = (reason: EndReason): void => this.#working?.abort(reason);
    const onInterrupt = (): void => {
      this.#noteStop(interrupt?.reason);
      end("interrupted");
    };
    const look = async (): Promise<void> => {
      if (!this.#working) return;
      await this.#takeSignals(undefined);
      if (journal.index.cancelled) end("cancelled");
    };
    let looking = Promise.resolve();
    const timer = setInterval(() => {
      looking = looking.then(look).catch((error: unknown) => {
        this.#fault = { error };
        end("interrupted");
      });
    }, lookEveryMs);
    interrupt?.addEventListener("abort", onInterrupt);
    if (interrupt?.aborted) this.#noteStop(interrupt.reason);
    return () => {
      clearInterval(timer);
      interrupt?.removeEventListener("abort", onInterrupt);
      return looking;
    };
  }

  /** On disk before the work at hand is ended: whoever kills the driver next does not make a crash of it. */
  #noteStop(why: unknown): void {
    const { journal, pid } = this.#parts;
    if (!(why instanceof StoppedByPerson) || journal.state.status !== "running") return;
    try {
      journal.line({ type: "run.stopped", pid, reason: why.reason });
      journal.syncNow();
    } catch (error) {
      this.#fault = { error };
    }
  }

  recall(address: StepAddress, kind?: Preparation["kind"]): Outcome | undefined {
    return this.#parts.journal.outcome(address, kind);
  }

  perform(task: Task<StepInput>): Promise<Outcome> {
    const { journal, redact } = this.#parts;
    const { input } = task;
    return this.#do(task, {
      begun: async (runningMs) => {
        await journal.event(startedEvent(task, redact(input), runningMs));
        this.#logWarnings(task);
      },
      ended: (outcome, told) => journal.event(completedEvent(task, outcome, told, this.#keep)),
    });
  }

  async prepare(task: Task<Preparation>): Promise<Outcome> {
    const { journal } = this.#parts;
    const known = journal.outcome(task, task.input.kind);
    if (known) return known;
    return this.#do(task, {
      begun: async (runningMs) => {
        journal.line(preparingLine(task, runningMs));
        this.#logWarnings(task);
      },
      ended: async (outcome, told) => journal.line(preparedLine(task, outcome, told, this.#keep)),
    });
  }

  #logWarnings({ path, attempt, warnings }: Task): void {
    for (const message of warnings) this.#parts.journal.line({ type: "step.warning", path, attempt, message });
  }

  /** The outcome is on disk before anything depends on it. */
  async #do(task: Task, tell: Telling): Promise<Outcome> {
    const { journal } = this.#parts;
    await this.#takeSignalsIfDue();
    this.#refuseInterrupted();
    // A landing that was cut off is seen to its end first, or taken back.
    if (journal.index.cancelled && !journal.index.landings.at(task.path)) return { kind: "cancelled" };
    const complete = async (outcome: Ended, duration_ms: number, given?: StepResult): Promise<Outcome> => {
      await tell.ended(outcome, { duration_ms, running_ms: this.runningMs, given });
      await journal.sync();
      return outcome;
    };
    const deadline = this.#deadlineOf(task);
    if (deadline.leftMs <= 0 && deadline.outcome) return complete(deadline.outcome, 0);
    const began = this.runningMs;
    await tell.begun(began);
    const { result, ended } = await this.#work(task, deadline);
    const tookMs = this.runningMs - began;
    // What has landed has landed, whatever anybody wanted meanwhile.
    if (task.input.kind === "merge" && result.success) return complete({ kind: "done", result }, tookMs);
    if (ended === "interrupted") throw new Interrupted();
    if (ended === "cancelled") return complete({ kind: "cancelled" }, tookMs, result);
    if (ended === "timeout" && deadline.outcome) {
      return complete({ ...deadline.outcome, given: { ...result, success: false } }, tookMs, result);
    }
    return complete({ kind: "done", result: ended === "timeout" ? tooSlow(result, task.timeout_ms) : result }, tookMs);
  }

  async tell(news: News): Promise<void> {
    const { journal } = this.#parts;
    const { index } = journal;
    const isTold = news.kind === "loop_started" ? index.wasTold(`loop ${addressText(news)}`) : index.completed(news);
    if (!isTold)
      await journal.event(
        newsEvent(news, { running_ms: this.runningMs, begunMs: (loop) => index.begunMs(loop) }, this.#keep),
      );
  }

  async iterate({ path, iteration, within }: Iteration): Promise<Stopped | undefined> {
    const { journal } = this.#parts;
    const known = journal.index.iteration(path, iteration);
    if (known) return known === "begun" ? undefined : known;
    await this.#breathe();
    this.#refuseInterrupted();
    if (journal.index.cancelled) return { kind: "cancelled" };
    const { leftMs, outcome } = this.#deadlineOf({ timeout_ms: Infinity, within });
    const stopped = leftMs <= 0 ? outcome : undefined;
    const told = stopped && { stopped: stopped.kind, scope: stopped.scope };
    journal.line({ type: "loop.iteration", path, iteration, ...told, running_ms: this.runningMs });
    return stopped;
  }

  async wait(wait: Wait): Promise<Signal> {
    const { journal } = this.#parts;
    const { index } = journal;
    const key = index.waitKey(wait);
    const said = (): Signal | undefined => index.answer(key) ?? (index.cancelled ? { kind: "cancel" } : undefined);
    if (!said() && !index.wasTold(key)) {
      const at = { runId: journal.runId, worktree: journal.pinned.folder, running_ms: this.runningMs };
      await journal.event(waitingEvent(wait, at, this.#keep));
      await journal.sync();
    }
    if (!said()) await this.#takeSignals(wait);
    const answer = said();
    if (answer) return answer;
    this.#rest(wait.status);
    return new Promise(() => undefined);
  }

  /** Lets everything else have its turn now and then: a loop that performs nothing must not be deaf. */
  async #breathe(): Promise<void> {
    const { elapsedMs, lookEveryMs } = this.#parts;
    if (elapsedMs() - this.#breathedMs < lookEveryMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    this.#breathedMs = elapsedMs();
    await this.#takeSignalsIfDue();
  }

  /** Between steps that are quick, people's words are looked for as seldom as within one that is slow. */
  async #takeSignalsIfDue(): Promise<void> {
    if (this.#parts.elapsedMs() - this.#lookedMs >= this.#parts.lookEveryMs) await this.#takeSignals(undefined);
  }

  /** Folds what people said into the journal. What was meant for another wait than this one is told, and dropped. */
  #takeSignals(wait: Wait | undefined): Promise<void> {
    // One at a time: a signal's file goes only once its line is on disk.
    const taking = this.#taking.catch(() => undefined).then(() => this.#takeAll(wait));
    this.#taking = taking;
    return taking;
  }

  async #takeAll(wait: Wait | undefined): Promise<void> {
    const { journal, signals, elapsedMs } = this.#parts;
    this.#lookedMs = elapsedMs();
    // Listed once: what comes meanwhile is not among them, and stays for the next look.
    const listed = signals.for(journal.runId);
    const fresh = listed.filter(({ id }) => !journal.index.knowsSignal(id));
    // Of several answers the newest counts: it was given in the knowledge of the others.
    const counts = fresh.findLast(({ signal, to }) => signal.kind !== "cancel" && answersWait(signal, to, wait));
    for (const { id, signal, to, by } of fresh) {
      const taken = !journal.index.cancelled && (signal.kind === "cancel" || id === counts?.id);
      const origin = by && { by };
      journal.line({ type: "run.signal", id, signal, to, taken, ...origin, running_ms: this.runningMs });
    }
    if (fresh.length > 0) await journal.sync();
    for (const { id } of listed) signals.remove(journal.runId, id);
  }

  async #work(task: Task, { leftMs }: Deadline): Promise<{ result: StepResult; ended: EndReason | undefined }> {
    const { journal, handlers, redact } = this.#parts;
    const handler = handlers[task.input.kind] as Handler<typeof task.input> | undefined;
    if (!handler) return { result: noHandler(task), ended: undefined };
    const controller = new AbortController();
    this.#working = controller;
    if (journal.index.cancelled) controller.abort("cancelled" satisfies EndReason);
    const stopTimer = after(leftMs, () => controller.abort("timeout" satisfies EndReason));
    try {
      const { path, attempt } = task;
      const result = await handler(task, {
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
      });
      if (this.#fault) throw this.#fault.error;
      const ended = controller.signal.aborted ? (controller.signal.reason as EndReason) : undefined;
      return { result: redact(result), ended };
    } finally {
      stopTimer();
      this.#working = undefined;
    }
  }

  readonly #keep: Keep = (result) => this.#parts.outputs.keep(result);

  #deadlineOf(task: Pick<Task, "timeout_ms" | "within">): Deadline {
    const { index, pinned } = this.#parts.journal;
    return deadlineOf(task, {
      runningMs: this.runningMs,
      runBegunMs: index.runBegunMs,
      runLimitMs: pinned.grimoire.timeout_ms ?? pinned.settings.timeouts_ms.run,
      begunMs: (loop) => index.begunMs(loop),
    });
  }

  #refuseInterrupted(): void {
    if (this.#fault) throw this.#fault.error;
    if (this.#parts.interrupt?.aborted) throw new Interrupted();
  }
}

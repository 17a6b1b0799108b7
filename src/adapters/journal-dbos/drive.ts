import { StoppedByPerson } from "../../contract/run.ts";
import type { JournalLine } from "../../contract/run-journal.ts";
import type { EndReason, Handlers } from "../../run/handlers.ts";
import type { DriveEnd, DriveOptions } from "../../run/run-host.ts";

/** Ends the interpreter; work without a stored outcome is done again when the run goes on. */
export class DriveEnded extends Error {
  readonly end: DriveEnd;

  constructor(end: DriveEnd) {
    super(end.kind);
    this.end = end;
  }
}

/** One run while this process drives it. */
export class Drive {
  readonly handlers: Handlers;
  /** Called with every line, once it is written. */
  readonly onLine: (line: JournalLine) => void;
  /** How the drive ends: the run stopped, was interrupted, or cannot go on. */
  readonly outcome = new Deferred<DriveEnd>();
  /** The workflow was set aside, so that its function may end. */
  readonly released = new Deferred<void>();
  /** The drive's lock is released. */
  readonly closed = new Deferred<void>();
  /** The handler's current work. */
  currentWork: Promise<unknown> = Promise.resolve();
  /** The run has ended, and its workflow ends now. */
  isEnded = false;
  /** Set when a person stopped the drive; the journal has to say so. */
  stoppedByPerson: StoppedByPerson | undefined;
  /** The run's lock was lost, so that only another process may write about the run. */
  isLost = false;
  readonly #stop = new AbortController();
  readonly #stopListening: () => void;

  constructor({ handlers, signal, onLine }: DriveOptions) {
    this.handlers = handlers;
    this.onLine = onLine ?? (() => undefined);
    const interrupt = (): void => {
      if (signal?.reason instanceof StoppedByPerson) this.stoppedByPerson = signal.reason;
      this.stop("interrupted");
    };
    if (signal?.aborted) interrupt();
    signal?.addEventListener("abort", interrupt);
    this.#stopListening = () => signal?.removeEventListener("abort", interrupt);
  }

  /** Ends the current work. The first reason stays. */
  stop(reason: Exclude<EndReason, "timeout">): void {
    this.#stop.abort(reason);
  }

  get stopped(): AbortSignal {
    return this.#stop.signal;
  }

  isStopped(reason: EndReason): boolean {
    return this.#stop.signal.reason === reason;
  }

  /** Ends the current work, and the drive after it. */
  async lose(why: Error): Promise<void> {
    this.isLost = true;
    this.stop("interrupted");
    await this.currentWork.catch(() => undefined);
    this.outcome.reject(why);
  }

  close(): void {
    this.#stopListening();
  }
}

/** A promise that is settled from outside. */
class Deferred<T> {
  readonly promise: Promise<T>;
  resolve!: (value: T) => void;
  reject!: (error: Error) => void;

  constructor() {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    // A rejection that is awaited later must not count as unhandled until then.
    this.promise.catch(() => undefined);
  }
}

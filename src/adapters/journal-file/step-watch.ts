import { ofRedactedParts } from "../../contract/redacted.ts";
import { StoppedByPerson } from "../../contract/run.ts";
import type { EndReason } from "../../run/handlers.ts";
import type { RunJournal } from "./run-journal.ts";
import type { SignalTaker } from "./signal-taker.ts";

interface Parts {
  journal: RunJournal;
  taker: SignalTaker;
  interrupt: AbortSignal | undefined;
  /** How often to look for signals while a step runs. */
  lookEveryMs: number;
  pid: number;
  runningMs: () => number;
}

/** Takes signals while a step works, and ends the step on cancel or interrupt. */
export class StepWatch {
  readonly #parts: Parts;
  /** Ends the current step. */
  #working: AbortController | undefined;
  /** An error outside of any call of the port; the next call throws it. */
  #fault: { error: unknown } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** A step begins to work. Returns what ends it. */
  begin(): AbortController {
    return (this.#working = new AbortController());
  }

  /** The step works no more. */
  end(): void {
    this.#working = undefined;
  }

  throwFault(): void {
    if (this.#fault) throw this.#fault.error;
  }

  /** Returns the function that stops the watch. */
  start(): () => Promise<void> {
    const { journal, taker, interrupt, lookEveryMs } = this.#parts;
    const end = (reason: EndReason): void => this.#working?.abort(reason);
    const onInterrupt = (): void => {
      this.#noteStop(interrupt?.reason);
      end("interrupted");
    };
    const look = async (): Promise<void> => {
      if (!this.#working) return;
      await taker.take(undefined);
      if (journal.index.isCancelled) end("cancelled");
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

  /** On disk before the current work is ended: if the driver is killed next, the journal still shows no crash. */
  #noteStop(why: unknown): void {
    const { journal, pid, runningMs } = this.#parts;
    if (!(why instanceof StoppedByPerson) || journal.state.status !== "running") return;
    try {
      journal.line(ofRedactedParts({ type: "run.stopped", pid, reason: why.reason, running_ms: runningMs() }));
      journal.syncNow();
    } catch (error) {
      this.#fault = { error };
    }
  }
}

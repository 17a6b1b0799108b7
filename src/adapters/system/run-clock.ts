import { after } from "./timer.ts";

interface Alarm {
  leftMs: number;
  work: () => void;
  stop: () => void;
}

/** Counts the time that a run has been worked on. While it is held, no time passes, and no alarm rings. */
export class RunClock {
  readonly #elapsedMs: () => number;
  readonly #alarms = new Set<Alarm>();
  /** What was counted up to `#sinceMs`. */
  #countedMs: number;
  #sinceMs: number;
  #holds = 0;

  /** `elapsedMs` is a clock that never jumps; `beforeMs` is what was counted before. */
  constructor(elapsedMs: () => number, beforeMs: number) {
    this.#elapsedMs = elapsedMs;
    this.#countedMs = beforeMs;
    this.#sinceMs = elapsedMs();
  }

  get runningMs(): number {
    return Math.round(this.#countedMs + this.#passedMs());
  }

  /** Stands still until it was released as often as it was held. */
  hold(): void {
    if (this.#holds++ > 0) return;
    const passedMs = this.#elapsedMs() - this.#sinceMs;
    this.#countedMs += passedMs;
    for (const alarm of this.#alarms) {
      alarm.stop();
      alarm.leftMs -= passedMs;
    }
  }

  release(): void {
    if (--this.#holds > 0) return;
    this.#restart();
    for (const alarm of this.#alarms) this.#arm(alarm);
  }

  /** Calls `work` when so much time has passed on this clock. Returns the function that cancels it. */
  after(ms: number, work: () => void): () => void {
    // All alarms count from the same moment, so that holding takes the same off each.
    if (this.#holds === 0) {
      const passedMs = this.#elapsedMs() - this.#sinceMs;
      this.#countedMs += passedMs;
      for (const each of this.#alarms) each.leftMs -= passedMs;
      this.#restart();
    }
    const alarm: Alarm = { leftMs: ms, work, stop: () => undefined };
    this.#alarms.add(alarm);
    if (this.#holds === 0) this.#arm(alarm);
    return () => {
      alarm.stop();
      this.#alarms.delete(alarm);
    };
  }

  #arm(alarm: Alarm): void {
    alarm.stop = after(alarm.leftMs, () => {
      this.#alarms.delete(alarm);
      alarm.work();
    });
  }

  #restart(): void {
    this.#sinceMs = this.#elapsedMs();
  }

  #passedMs(): number {
    return this.#holds > 0 ? 0 : this.#elapsedMs() - this.#sinceMs;
  }
}

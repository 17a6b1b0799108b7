const firstWaitMs = 5_000;
const longestWaitMs = 600_000;

interface Failed {
  failures: number;
  untilMs: number;
  /** How the thing looked when it failed: one that looks otherwise may succeed. */
  mark: string;
}

/** How long each name waits after its failures: 5 s, twice as long each time, at most 10 min. */
export class BackOff {
  readonly #elapsedMs: () => number;
  readonly #failed = new Map<string, Failed>();

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  failed(name: string, mark: string): { failures: number; waitMs: number } {
    const failures = (this.#failed.get(name)?.failures ?? 0) + 1;
    const waitMs = Math.min(firstWaitMs * 2 ** (failures - 1), longestWaitMs);
    this.#failed.set(name, { failures, untilMs: this.#elapsedMs() + waitMs, mark });
    return { failures, waitMs };
  }

  succeeded(name: string): void {
    this.#failed.delete(name);
  }

  /** Whether it failed, and nothing but time has passed since. */
  hasFailed(name: string): boolean {
    return this.#failed.has(name);
  }

  /** Whether it has to wait. The mark is asked for only when it matters; another one than before ends the wait. */
  isHeld(name: string, markNow: () => string): boolean {
    const failed = this.#failed.get(name);
    if (!failed) return false;
    if (failed.mark === markNow()) return this.#elapsedMs() < failed.untilMs;
    this.#failed.delete(name);
    return false;
  }
}

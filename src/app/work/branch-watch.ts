import type { WorkClock } from "../agent/chat-budget.ts";

/** How often the branch is looked at, at most. */
const lookEveryMs = 500;

/** Notices that another branch was checked out under a work session. */
export class BranchWatch {
  readonly #branch: () => string | undefined;
  readonly #clock: Pick<WorkClock, "runningMs">;
  readonly #first: string | undefined;
  #lastMs = -Infinity;
  #switchedTo: string | null | undefined;

  constructor(branch: () => string | undefined, clock: Pick<WorkClock, "runningMs">) {
    this.#branch = branch;
    this.#clock = clock;
    this.#first = branch();
  }

  /** The branch that it began on, or null for none. */
  get first(): string | null {
    return this.#first ?? null;
  }

  /** The branch that is checked out now, or null for none; undefined while it is the same. */
  get switchedTo(): string | null | undefined {
    return this.#switchedTo;
  }

  /** Looks once in a while; returns whether another branch was checked out. */
  look(): boolean {
    if (this.#clock.runningMs - this.#lastMs >= lookEveryMs) this.lookNow();
    return this.#switchedTo !== undefined;
  }

  lookNow(): void {
    this.#lastMs = this.#clock.runningMs;
    const branch = this.#branch();
    if (branch !== this.#first) this.#switchedTo ??= branch ?? null;
  }
}

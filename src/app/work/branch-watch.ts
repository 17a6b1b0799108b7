/** How often the branch is looked at, at most. */
const lookEveryMs = 500;

/** Notices that another branch was checked out under a work session. */
export class BranchWatch {
  readonly #branch: () => string | undefined;
  readonly #nowMs: () => number;
  readonly #first: string | undefined;
  #lastMs = 0;
  #switchedTo: string | null | undefined;

  constructor(branch: () => string | undefined, nowMs: () => number) {
    this.#branch = branch;
    this.#nowMs = nowMs;
    this.#first = branch();
  }

  /** The branch that is checked out now, or null for none; undefined while it is the same. */
  get switchedTo(): string | null | undefined {
    return this.#switchedTo;
  }

  /** Looks once in a while; returns whether another branch is checked out. */
  look(): boolean {
    const now = this.#nowMs();
    if (this.#switchedTo !== undefined || now - this.#lastMs < lookEveryMs) return this.#switchedTo !== undefined;
    this.#lastMs = now;
    const branch = this.#branch();
    if (branch !== this.#first) this.#switchedTo = branch ?? null;
    return this.#switchedTo !== undefined;
  }
}

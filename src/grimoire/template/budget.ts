import { defaultLimits, type TemplateLimits } from "./limits.ts";
import { EvaluationError } from "./template-error.ts";

/** Characters that cost as much as executing one node. */
const charactersPerStep = 8;
/** Reading is cheaper than making. */
const charactersReadPerStep = 16;
/** A lookup of a text in the data is cheaper still, and free when the text is short. */
const charactersLookedUpPerStep = 64;

/** What executing may still cost, shared by a template and what it includes. Throws an EvaluationError beyond that. */
export class RenderBudget {
  readonly limits: TemplateLimits;
  #steps = 0;
  #depth = 0;

  constructor(limits: Partial<TemplateLimits> = {}) {
    this.limits = { ...defaultLimits, ...limits };
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps) throw new EvaluationError(`takes more than ${this.limits.steps} steps`);
  }

  /** Pays for a text, before it is made where it can be long. */
  chargeText(length: number): void {
    if (length > this.limits.textLength)
      throw new EvaluationError(`makes a text longer than ${this.limits.textLength} characters`);
    this.spend(Math.floor(length / charactersPerStep));
  }

  /** Pays for a text that is added to an output of then `total` characters. */
  chargeOutput(length: number, total: number): void {
    this.chargeText(total > this.limits.textLength ? total : length);
  }

  chargeReading(length: number): void {
    this.spend(Math.floor(length / charactersReadPerStep));
  }

  chargeLookup(length: number): void {
    this.spend(Math.floor(length / charactersLookedUpPerStep));
  }

  /** Goes one level deeper: a block, a call, a pair of parentheses. No function around the work, to spare the stack. */
  enter(): void {
    if (this.#depth >= this.limits.executionDepth)
      throw new EvaluationError("too many blocks and calls inside one another");
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Does work that may throw at any depth, and restores the depth. */
  restoringDepth<T>(work: () => T): T {
    const depth = this.#depth;
    try {
      return work();
    } finally {
      this.#depth = depth;
    }
  }

  /** Refuses data that is too deep to print. */
  checkDataDepth(depth: number): void {
    if (depth > this.limits.dataDepth) throw new EvaluationError("the value is nested too deep to print");
  }
}

import { defaultLimits, type Limits } from "./limits.ts";
import { Refusal } from "./refusal.ts";

/** Characters that cost as much as executing one node. */
const charactersPerStep = 8;
/** Reading is cheaper than making. */
const charactersReadPerStep = 16;
/** Looking a text up in the data is cheaper still, and costs nothing when it is short. */
const charactersSeenPerStep = 64;

/** What executing may still cost. Shared by a template and what it includes. Throws a Refusal when it is used up. */
export class Budget {
  readonly limits: Limits;
  #steps = 0;
  #depth = 0;

  constructor(limits: Partial<Limits> = {}) {
    this.limits = { ...defaultLimits, ...limits };
  }

  spend(steps: number): void {
    this.#steps += steps;
    if (this.#steps > this.limits.steps) throw new Refusal(`takes more than ${this.limits.steps} steps`);
  }

  /** Pays for a text, before it is made where it can be long. */
  makeText(length: number): void {
    if (length > this.limits.textLength)
      throw new Refusal(`makes a text longer than ${this.limits.textLength} characters`);
    this.spend(Math.floor(length / charactersPerStep));
  }

  readText(length: number): void {
    this.spend(Math.floor(length / charactersReadPerStep));
  }

  seeText(length: number): void {
    this.spend(Math.floor(length / charactersSeenPerStep));
  }

  /** Goes one level deeper: a block, a call, a pair of parentheses. No function around the work, to spare the stack. */
  enter(): void {
    if (this.#depth >= this.limits.executionDepth) throw new Refusal("too many blocks and calls inside one another");
    this.#depth += 1;
  }

  leave(): void {
    this.#depth -= 1;
  }

  /** Does work that may end in an error anywhere below. */
  atSameDepth<T>(work: () => T): T {
    const depth = this.#depth;
    try {
      return work();
    } finally {
      this.#depth = depth;
    }
  }

  /** Refuses data that is too deep to print. */
  checkDataDepth(depth: number): void {
    if (depth > this.limits.dataDepth) throw new Refusal("the value is nested too deep to print");
  }
}

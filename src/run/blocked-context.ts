import type { StepAddress, StepResult } from "../contract/run.ts";
import type { Halt } from "./halts.ts";

interface GivenResult {
  address: StepAddress;
  result: StepResult;
}

/** What the steps of a run gave last, for a person who has to help when it does not go on by itself. */
export class LastResults {
  #failed: GivenResult | undefined;
  #latest: GivenResult | undefined;

  add({ path, attempt }: StepAddress, result: StepResult): void {
    this.#latest = { address: { path, attempt }, result };
    if (!result.success) this.#failed = this.#latest;
  }

  /** Adds what helps where the halt brings nothing: the last failure in the loop at this path, else what came last. */
  explain(halt: Halt, { path }: StepAddress): Halt {
    if (halt.result) return halt;
    const isInside = ({ address }: GivenResult): boolean => address.path.startsWith(`${path}[`);
    const explanation = this.#failed && isInside(this.#failed) ? this.#failed : this.#latest;
    return explanation ? { ...halt, result: explanation.result, resultOf: explanation.address } : halt;
  }
}

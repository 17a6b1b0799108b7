import type { StepAddress, StepResult } from "../contract/run.ts";
import type { Halt } from "./halts.ts";

interface Given {
  address: StepAddress;
  result: StepResult;
}

/** What the steps of a run gave last, for a person who has to help when it does not go on by itself. */
export class LastResults {
  #failed: Given | undefined;
  #latest: Given | undefined;

  add({ path, attempt }: StepAddress, result: StepResult): void {
    this.#latest = { address: { path, attempt }, result };
    if (!result.success) this.#failed = this.#latest;
  }

  /** Adds what helps where the halt brings nothing: the last failure in the loop at this path, else what came last. */
  explain(halt: Halt, { path }: StepAddress): Halt {
    if (halt.result) return halt;
    const isInside = ({ address }: Given): boolean => address.path.startsWith(`${path}[`);
    const given = this.#failed && isInside(this.#failed) ? this.#failed : this.#latest;
    return given ? { ...halt, result: given.result, resultOf: given.address } : halt;
  }
}

import { allSteps, type LoopStep, type Step } from "../../contract/grimoire.ts";
import type { Data } from "../template/unknown.ts";
import { resultOf, variablesOf, type PreviewScope } from "./scope.ts";

/** Why a name may be missing when a step asks for it. */
export type Absence = { firstIteration: true } | { step: string };

/** The variables of a run while the preview passes its steps: one flat scope, and which names may be missing. */
export class Variables {
  readonly scope: PreviewScope;
  readonly absences = new Map<string, Absence>();
  /** Steps that no run executes: they set nothing. */
  readonly #unreachable: ReadonlySet<Step>;

  constructor(scope: PreviewScope, unreachable: ReadonlySet<Step>) {
    this.scope = scope;
    this.#unreachable = unreachable;
  }

  set(name: string, value: Data): void {
    if (value === undefined) delete this.scope[name];
    else this.scope[name] = value;
  }

  /** Sets the variables of a step. `runs` is null when only the run can tell whether it does. */
  pass(step: Step, runs: boolean | null): void {
    if (runs === false) return;
    const previous = runs ? resultOf(step.name, step) : resultOf("previous");
    for (const [name, value] of [...variablesOf(step), ["previous", previous] as const]) {
      if (runs) this.absences.delete(name);
      else if (!this.#isCertain(name)) this.absences.set(name, { step: step.name });
      this.set(name, value);
    }
  }

  /** Enters a loop: names of its steps exist from the second iteration on. Returns the function that leaves it. */
  enter(loop: LoopStep): (runs: boolean | null) => void {
    const outerValues = ["previous", "loop_entry", "iteration"].map((name) => [name, this.scope[name]] as const);
    const outerAbsence = this.absences.get("previous");
    const loopVariables = [...allSteps(loop.steps)]
      .filter((step) => !this.#isUnreachableIn(loop, step))
      .flatMap(variablesOf);
    const uncertainNames = loopVariables.map(([name]) => name).filter((name) => !this.#isCertain(name));
    const first: Absence = { firstIteration: true };
    for (const [name, value] of loopVariables) {
      if (name in this.scope) continue;
      this.set(name, value);
      this.absences.set(name, first);
    }
    this.set("previous", resultOf("previous"));
    this.absences.set("previous", first);
    return (runs) => {
      for (const [name, value] of outerValues) this.set(name, value);
      if (outerAbsence) this.absences.set("previous", outerAbsence);
      else this.absences.delete("previous");
      const skippableSetters = new Map([
        ...this.#afterExit(loop),
        ...(runs ? [] : loopVariables.map(([name]) => [name, loop.name] as const)),
      ]);
      for (const name of uncertainNames) {
        const step = skippableSetters.get(name);
        if (step !== undefined) this.absences.set(name, { step });
        if (runs === false) this.set(name, undefined);
      }
    };
  }

  /** The steps of a loop that never runs are previewed as if it did. */
  #isUnreachableIn(loop: LoopStep, step: Step): boolean {
    return this.#unreachable.has(step) && !this.#unreachable.has(loop);
  }

  #isCertain(name: string): boolean {
    return name in this.scope && !this.absences.has(name);
  }

  /** Names that are not set when an earlier step leaves the loop, with the step that sets them. */
  *#afterExit(loop: LoopStep): Generator<[string, string]> {
    let mayHaveExited = false;
    for (const step of loop.steps) {
      if (this.#isUnreachableIn(loop, step)) continue;
      if (mayHaveExited) {
        for (const each of allSteps([step])) for (const [name] of variablesOf(each)) yield [name, each.name];
      }
      mayHaveExited ||= "on_success" in step && step.on_success === "exit_loop";
    }
  }
}

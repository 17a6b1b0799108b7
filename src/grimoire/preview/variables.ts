import { allSteps, type LoopStep, type Step } from "../../contract/grimoire.ts";
import type { Data } from "../template/unknown.ts";
import { resultOf, variablesOf, type Scope } from "./scope.ts";

/** Why a name may be missing when a step asks for it. */
export type Absence = { firstIteration: true } | { step: string };

/** What is known of a run's variables as its steps are passed: one flat scope, and which names may be missing. */
export class Variables {
  readonly scope: Scope;
  readonly absences = new Map<string, Absence>();
  /** Steps that no run executes: they set nothing. */
  readonly #never: ReadonlySet<Step>;

  constructor(scope: Scope, never: ReadonlySet<Step>) {
    this.scope = scope;
    this.#never = never;
  }

  set(name: string, value: Data): void {
    if (value === undefined) delete this.scope[name];
    else this.scope[name] = value;
  }

  /** A step is passed. `runs` is null when only the run can tell. */
  pass(step: Step, runs: boolean | null): void {
    if (runs === false) return;
    const previous = runs ? resultOf(step.name, step) : resultOf("previous");
    for (const [name, value] of [...variablesOf(step), ["previous", previous] as const]) {
      if (runs) this.absences.delete(name);
      else if (!this.#isCertain(name)) this.absences.set(name, { step: step.name });
      this.set(name, value);
    }
  }

  /** At the first step of a loop: names of its steps exist from the second iteration on. Returns how to leave it. */
  enter(loop: LoopStep): (runs: boolean | null) => void {
    const outer = ["previous", "loop_entry", "iteration"].map((name) => [name, this.scope[name]] as const);
    const outerAbsence = this.absences.get("previous");
    const inside = [...allSteps(loop.steps)].filter((step) => !this.#isSilentIn(loop, step)).flatMap(variablesOf);
    const uncertain = inside.map(([name]) => name).filter((name) => !this.#isCertain(name));
    const first: Absence = { firstIteration: true };
    for (const [name, value] of inside) {
      if (name in this.scope) continue;
      this.set(name, value);
      this.absences.set(name, first);
    }
    this.set("previous", resultOf("previous"));
    this.absences.set("previous", first);
    return (runs) => {
      for (const [name, value] of outer) this.set(name, value);
      if (outerAbsence) this.absences.set("previous", outerAbsence);
      else this.absences.delete("previous");
      const missable = new Map([
        ...this.#afterExit(loop),
        ...(runs ? [] : inside.map(([name]) => [name, loop.name] as const)),
      ]);
      for (const name of uncertain) {
        const step = missable.get(name);
        if (step !== undefined) this.absences.set(name, { step });
        if (runs === false) this.set(name, undefined);
      }
    };
  }

  /** In a loop that never runs itself, its steps are read as if it did. */
  #isSilentIn(loop: LoopStep, step: Step): boolean {
    return this.#never.has(step) && !this.#never.has(loop);
  }

  #isCertain(name: string): boolean {
    return name in this.scope && !this.absences.has(name);
  }

  /** Names that are not set when an earlier step leaves the loop, with the step that sets them. */
  *#afterExit(loop: LoopStep): Generator<[string, string]> {
    let mayHaveLeft = false;
    for (const step of loop.steps) {
      if (this.#isSilentIn(loop, step)) continue;
      if (mayHaveLeft) {
        for (const each of allSteps([step])) for (const [name] of variablesOf(each)) yield [name, each.name];
      }
      mayHaveLeft ||= "on_success" in step && step.on_success === "exit_loop";
    }
  }
}

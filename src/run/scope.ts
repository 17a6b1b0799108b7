import type { Bead } from "../contract/bead.ts";
import { templateName, type Step } from "../contract/grimoire.ts";
import type { Json } from "../contract/json.ts";
import type { StepResult } from "../contract/run.ts";

export type Values = Record<string, Json>;

/** What `.previous` and a step's name hold. */
function variableOf({ success, output, exit_code, summary, outputs }: StepResult): Json {
  return {
    success,
    failed: !success,
    output,
    exit_code: exit_code ?? null,
    summary: summary ?? null,
    outputs: outputs ?? null,
  };
}

/** One list of steps as it is gone through. A loop's list keeps `previous` from one iteration to the next. */
export class Sequence {
  previous: Json | undefined;
  /** What the last executed step gave: what the loop around it gives. */
  output: Json = null;
}

/** The variables of a run: one flat scope. Names are own properties only, so that `constructor` is a name like any other. */
export class RunScope {
  readonly #values: Values;

  constructor(bead: Bead, variables: Values) {
    this.#values = Object.assign(Object.create(null) as Values, variables, { bead });
  }

  /** The variables as a step of this sequence sees them. */
  variablesFor({ previous }: Sequence): Values {
    const values = Object.assign(Object.create(null) as Values, this.#values);
    if (previous !== undefined) values["previous"] = previous;
    return values;
  }

  /** What a person changed before a retry. */
  change(values: Values): void {
    Object.assign(this.#values, values);
  }

  /** A step was executed: its names are set, and it is the previous one. */
  recordResult(step: Step, result: StepResult, sequence: Sequence): void {
    const variable = variableOf(result);
    this.#values[step.name] = variable;
    if (step.name.includes("-")) this.#values[templateName(step.name)] = variable;
    if ("output" in step && step.output !== undefined) this.#values[step.output] = result.output;
    sequence.previous = variable;
    sequence.output = result.output;
  }

  /** Goes into a loop: `.loop_entry` is the outer `.previous`. Returns how to leave it, which restores the outer names. */
  enterLoop({ previous }: Sequence): () => void {
    const outerValues = ["loop_entry", "iteration"].map((name) => [name, this.#values[name]] as const);
    this.#values["loop_entry"] = previous ?? {};
    return () => {
      for (const [name, value] of outerValues) {
        if (value === undefined) delete this.#values[name];
        else this.#values[name] = value;
      }
    };
  }

  iterate(iteration: number): void {
    this.#values["iteration"] = iteration;
  }
}

import type { StepResult, IterationSummary } from "../contract/run.ts";

/** More would not be read. */
const maxIterations = 20;
const maxSummaryChars = 300;

/** What the iterations of one loop came to, for a person who has to help when it does not go on. */
export class Iterations {
  readonly #path: string;
  readonly #summaries: IterationSummary[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  begin(iteration: number): void {
    this.#summaries.push({ path: this.#path, iteration, summary: "" });
    if (this.#summaries.length > maxIterations) this.#summaries.shift();
  }

  add(step: string, { success, exit_code, summary, error }: StepResult): void {
    const last = this.#summaries.at(-1)!;
    const code = success || exit_code === undefined ? "" : ` (exit ${exit_code})`;
    const words = summary ?? (success || exit_code !== undefined ? undefined : error);
    const stepSummary = `${step} ${success ? "succeeded" : "failed"}${code}${words === undefined ? "" : `: ${words}`}`;
    const all = last.summary === "" ? stepSummary : `${last.summary}; ${stepSummary}`;
    last.summary = all.length > maxSummaryChars ? `${all.slice(0, maxSummaryChars - 1).toWellFormed()}…` : all;
  }

  get summaries(): IterationSummary[] {
    // One that has just begun has nothing to tell.
    return this.#summaries.filter(({ summary }) => summary !== "").map((each) => ({ ...each }));
  }
}

import type { Json, StepType } from "../contract/grimoire.ts";
import type { JournalLine, KeptFile } from "../contract/run-journal.ts";
import { addressText, type ShownStatus, type StepAddress, type Usage } from "../contract/run.ts";

/** One attempt at a step, as `run show` tells it. */
export interface RunStep {
  path: string;
  attempt: number;
  kind: StepType | null;
  /** `interrupted`: nobody drives the run any more. `waiting`: the run waits for a person inside this loop. */
  status: "running" | "succeeded" | "failed" | "skipped" | "stopped" | "interrupted" | "waiting";
  started: string | null;
  duration_ms?: number;
  exit_code?: number;
  summary?: string;
  output?: Json;
  output_file?: KeptFile;
  outputs?: Json;
  outputs_file?: KeptFile;
  stderr?: string;
  stderr_file?: KeptFile;
  error?: string;
  usage?: Usage;
}

const mostOutputChars = 16 * 1024 * 1024;

const openStatus: Record<ShownStatus, RunStep["status"]> = {
  running: "running",
  interrupted: "interrupted",
  blocked: "waiting",
  failed: "waiting",
  pending_merge: "waiting",
  completed: "succeeded",
  cancelled: "stopped",
};

/** The steps of a run, in the order in which each was first begun. */
export class RunSteps {
  readonly #steps = new Map<string, RunStep>();
  readonly #withOutput: { step: RunStep; chars: number }[] = [];
  #chars = 0;

  add(line: JournalLine): void {
    if (line.type === "workflow.step.started") this.#begin(line, line.kind, line.at);
    // A merge is there from when there is something to look at.
    else if (line.type === "step.preparing") {
      if (line.kind === "offer") this.#begin(line, "merge", line.at);
    } else if (line.type === "workflow.step.completed") {
      const { type: _type, n: _n, at: _at, running_ms: _r, stopped: _s, scope: _scope, success: _ok, ...told } = line;
      const begun = this.#steps.get(addressText(line));
      const step = { kind: begun?.kind ?? null, started: begun?.started ?? null, ...told };
      this.#steps.set(addressText(line), step);
      this.#forget(step);
    }
  }

  #begin({ path, attempt }: StepAddress, kind: StepType, started: string): void {
    const before = this.#steps.get(addressText({ path, attempt: attempt - 1 }));
    // A loop that is tried again had hit a limit; a merge, a conflict.
    if (before?.status === "running") before.status = "failed";
    this.#steps.set(addressText({ path, attempt }), { path, attempt, kind, status: "running", started });
  }

  /** Of a long run, the outputs of the last steps are kept; the journal has them all. */
  #forget(step: RunStep): void {
    const chars = [step.output, step.outputs, step.stderr].reduce<number>(
      (sum, value) =>
        sum + (value === undefined ? 0 : typeof value === "string" ? value.length : JSON.stringify(value).length),
      0,
    );
    if (chars === 0) return;
    this.#withOutput.push({ step, chars });
    this.#chars += chars;
    while (this.#chars > mostOutputChars && this.#withOutput.length > 1) {
      const oldest = this.#withOutput.shift()!;
      this.#chars -= oldest.chars;
      delete oldest.step.output;
      delete oldest.step.outputs;
      delete oldest.step.stderr;
    }
  }

  /** What has not come to its end is as the run is. */
  list(run: ShownStatus): RunStep[] {
    const status = openStatus[run];
    return [...this.#steps.values()].map((step) => (step.status === "running" ? { ...step, status } : step));
  }
}

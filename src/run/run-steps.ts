import type { Json } from "../contract/grimoire.ts";
import type { JournalLine, KeptFile } from "../contract/run-journal.ts";
import { addressText, type ShownStatus, type TaskKind, type Usage } from "../contract/run.ts";

/** One attempt at a step, as `run show` tells it. */
export interface RunStep {
  path: string;
  attempt: number;
  kind: TaskKind | "loop" | null;
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

  add(line: JournalLine): void {
    if (line.type === "workflow.step.started") {
      const { path, attempt, kind, at } = line;
      const before = this.#steps.get(addressText({ path, attempt: attempt - 1 }));
      // A loop that is tried again had hit a limit.
      if (before?.status === "running") before.status = "failed";
      this.#steps.set(addressText(line), { path, attempt, kind, status: "running", started: at });
    } else if (line.type === "workflow.step.completed") {
      const { type: _type, n: _n, at: _at, running_ms: _r, stopped: _s, scope: _scope, success: _ok, ...told } = line;
      const begun = this.#steps.get(addressText(line));
      this.#steps.set(addressText(line), { kind: begun?.kind ?? null, started: begun?.started ?? null, ...told });
    }
  }

  /** What has not come to its end is as the run is. */
  list(run: ShownStatus): RunStep[] {
    const status = openStatus[run];
    return [...this.#steps.values()].map((step) => (step.status === "running" ? { ...step, status } : step));
  }
}

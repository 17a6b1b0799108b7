import type { StepType } from "../contract/grimoire.ts";
import type { Place, RunDigest, RunStep } from "../contract/run-digest.ts";
import type { JournalLine } from "../contract/run-journal.ts";
import { addressText, type VisibleStatus, type StepAddress } from "../contract/run.ts";

type KeptStep = RunDigest["steps"][number];
type Completed = Extract<JournalLine, { type: "workflow.step.completed" }>;

/** Steps whose completion is longer are read again when somebody wants to see them. */
const longestKeptBytes = 1024;
const mostOutputChars = 16 * 1024 * 1024;

const openStatus: Record<VisibleStatus, RunStep["status"]> = {
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
  readonly #steps: Map<string, KeptStep>;

  constructor(kept: KeptStep[] = []) {
    this.#steps = new Map(kept.map((step) => [addressText(step), step]));
  }

  get kept(): KeptStep[] {
    return [...this.#steps.values()];
  }

  add(line: JournalLine, place: Place): void {
    if (line.type === "workflow.step.started") this.#begin(line, line.kind, line.at);
    // A merge is there from when there is something to look at.
    else if (line.type === "step.preparing") {
      if (line.kind === "offer") this.#begin(line, "merge", line.at);
    } else if (line.type === "workflow.step.completed") {
      const key = addressText(line);
      const begun = this.#steps.get(key);
      const { path, attempt, status } = line;
      const { kind, started } = begun ?? { kind: null, started: null };
      const isShort = place.bytes <= longestKeptBytes;
      this.#steps.set(key, isShort ? completed(line, begun) : { path, attempt, kind, status, started, place });
    }
  }

  #begin({ path, attempt }: StepAddress, kind: StepType, started: string): void {
    const before = this.#steps.get(addressText({ path, attempt: attempt - 1 }));
    // A loop that is tried again had hit a limit; a merge, a conflict.
    if (before?.status === "running") before.status = "failed";
    this.#steps.set(addressText({ path, attempt }), { path, attempt, kind, status: "running", started });
  }
}

/**
 * The steps as a person sees them: what has not come to its end is as the run is. Of a long run, the outputs of the last steps
 * are given; the journal has them all.
 */
export function shownSteps(kept: KeptStep[], run: VisibleStatus, read: (place: Place) => JournalLine): RunStep[] {
  const lastFirst = kept.filter((step) => "place" in step).sort((one, other) => other.place.offset - one.place.offset);
  const whole = new Map<KeptStep, RunStep>();
  let chars = 0;
  for (const step of lastFirst) {
    const line = read(step.place) as Completed;
    const shown = completed(line, step);
    const more = [shown.output, shown.outputs, shown.stderr].reduce<number>((sum, value) => sum + charsOf(value), 0);
    if (whole.size > 0 && chars + more > mostOutputChars) {
      const { output: _output, outputs: _outputs, stderr: _stderr, ...rest } = shown;
      whole.set(step, rest);
      chars = mostOutputChars;
    } else {
      whole.set(step, shown);
      chars += more;
    }
  }
  const status = openStatus[run];
  return kept.map((step) => whole.get(step) ?? (step.status === "running" ? { ...step, status } : step));
}

function completed(line: Completed, begun: Pick<RunStep, "kind" | "started"> | undefined): RunStep {
  const { type: _type, n: _n, at: _at, running_ms: _r, stopped: _s, scope: _scope, success: _ok, ...result } = line;
  return { kind: begun?.kind ?? null, started: begun?.started ?? null, ...result };
}

function charsOf(value: RunStep["output"]): number {
  if (value === undefined) return 0;
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

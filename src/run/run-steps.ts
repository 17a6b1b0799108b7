import type { StepType } from "../contract/grimoire.ts";
import type { JournalPlace, RunDigest, RunStep } from "../contract/run-digest.ts";
import type { JournalLine } from "../contract/run-journal.ts";
import { addressText, type VisibleStatus, type StepAddress } from "../contract/run.ts";

type DigestStep = RunDigest["steps"][number];
type Completed = Extract<JournalLine, { type: "workflow.step.completed" }>;

/** A longer completion is not kept in the digest, but read again from the journal when it is shown. */
const maxInlineBytes = 1024;
const maxOutputChars = 16 * 1024 * 1024;

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
  readonly #steps: Map<string, DigestStep>;

  constructor(steps: DigestStep[] = []) {
    this.#steps = new Map(steps.map((step) => [addressText(step), step]));
  }

  get steps(): DigestStep[] {
    return [...this.#steps.values()];
  }

  add(line: JournalLine, place: JournalPlace): void {
    if (line.type === "workflow.step.started") this.#begin(line, line.kind, line.at);
    else if (line.type === "step.note") {
      const step = this.#steps.get(addressText(line));
      if (step) step.note = line.message;
    }
    // A merge is there from when there is something to look at.
    else if (line.type === "step.preparing") {
      if (line.kind === "offer") this.#begin(line, "merge", line.at);
    } else if (line.type === "workflow.step.completed") {
      const key = addressText(line);
      const startedStep = this.#steps.get(key);
      const { path, attempt, status } = line;
      const { kind, started, note } = startedStep ?? { kind: null, started: null, note: undefined };
      const isShort = place.bytes <= maxInlineBytes;
      this.#steps.set(
        key,
        isShort
          ? completedStep(line, startedStep)
          : { path, attempt, kind, status, started, place, ...(note !== undefined && { note }) },
      );
    }
  }

  #begin({ path, attempt }: StepAddress, kind: StepType, started: string): void {
    const previousAttempt = this.#steps.get(addressText({ path, attempt: attempt - 1 }));
    // A loop that is tried again had hit a limit; a merge, a conflict.
    if (previousAttempt?.status === "running") previousAttempt.status = "failed";
    this.#steps.set(addressText({ path, attempt }), { path, attempt, kind, status: "running", started });
  }
}

/**
 * The steps as a person sees them: what has not come to its end is as the run is. Of a long run, the outputs of the last steps
 * are given; the journal has them all.
 */
export function stepsToShow(
  steps: DigestStep[],
  run: VisibleStatus,
  read: (place: JournalPlace) => JournalLine,
): RunStep[] {
  const lastFirst = steps.filter((step) => "place" in step).sort((one, other) => other.place.offset - one.place.offset);
  const wholeSteps = new Map<DigestStep, RunStep>();
  let chars = 0;
  for (const step of lastFirst) {
    const line = read(step.place) as Completed;
    const wholeStep = completedStep(line, step);
    const stepChars = [wholeStep.output, wholeStep.outputs, wholeStep.stderr].reduce<number>(
      (sum, value) => sum + charsOf(value),
      0,
    );
    if (wholeSteps.size > 0 && chars + stepChars > maxOutputChars) {
      const { output: _output, outputs: _outputs, stderr: _stderr, ...rest } = wholeStep;
      wholeSteps.set(step, rest);
      chars = maxOutputChars;
    } else {
      wholeSteps.set(step, wholeStep);
      chars += stepChars;
    }
  }
  const status = openStatus[run];
  return steps.map((step) => wholeSteps.get(step) ?? (step.status === "running" ? { ...step, status } : step));
}

function completedStep(line: Completed, startedStep: Pick<RunStep, "kind" | "started" | "note"> | undefined): RunStep {
  const { type: _type, n: _n, at: _at, running_ms: _r, stopped: _s, scope: _scope, success: _ok, ...given } = line;
  const { permission: _permission, limit: _limit, evidence: _evidence, ...result } = given;
  const note = startedStep?.note;
  return {
    kind: startedStep?.kind ?? null,
    started: startedStep?.started ?? null,
    ...result,
    ...(note !== undefined && { note }),
  };
}

function charsOf(value: RunStep["output"]): number {
  if (value === undefined) return 0;
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

import type { Outcome, StepAddress, StepWork } from "../contract/run.ts";

/** The first limit that the work of a step will meet, and what that comes to. */
export interface Deadline {
  remainingMs: number;
  /** Undefined for the step's own limit, which only fails the step. */
  outcome: Omit<Extract<Outcome, { kind: "timeout" }>, "given"> | undefined;
}

interface RunClock {
  runningMs: number;
  runBegunMs: number;
  runLimitMs: number;
  begunMs(loop: StepAddress): number;
}

/** The step's own limit, those of the loops around it, and the run's: whichever comes first; the outermost of equals. */
export function deadlineOf({ timeout_ms, within }: Pick<StepWork, "timeout_ms" | "within">, clock: RunClock): Deadline {
  const { runningMs, runBegunMs, runLimitMs } = clock;
  const limits: Deadline[] = [
    { remainingMs: runBegunMs + runLimitMs - runningMs, outcome: { kind: "timeout", scope: null } },
    ...within.map(({ path, attempt, timeout_ms: limitMs }): Deadline => ({
      remainingMs: clock.begunMs({ path, attempt }) + limitMs - runningMs,
      outcome: { kind: "timeout", scope: { path, attempt } },
    })),
    { remainingMs: timeout_ms, outcome: undefined },
  ];
  return limits.reduce((first, each) => (each.remainingMs < first.remainingMs ? each : first));
}

import type {
  Outcome,
  Preparation,
  Signal,
  StepAddress,
  StepResult,
  StepWork,
  TimedScope,
  Wait,
} from "../contract/run.ts";
import type { MergeOffer } from "../contract/merge-offer.ts";
import type { StepInput } from "../contract/step-input.ts";

/**
 * All that a run asks of the world. A host keeps every answer and gives the same one again when the run is interpreted
 * anew: to the interpreter, a run that was resumed ten times looks like one that never stopped.
 *
 * Calls come one after the other, in an order that depends on the answers alone. A host that cannot go on (its disk is
 * full, another took the run over) rejects; the interpreter then ends, and nothing is lost.
 */
export interface DurablePort {
  /**
   * What became of an attempt, or (`kind`) of what had to be there before it, as far as the host can tell without doing
   * anything; spares rendering what is done.
   */
  recall(address: StepAddress, kind?: Preparation["kind"]): Outcome | undefined;
  /** Does the work. Once its outcome was kept it is never done again; until then it may be, after a crash. */
  perform(work: StepWork<StepInput>): Promise<Outcome>;
  /**
   * Does what has to be there before a step can be, as `perform` does it, and answers at once when that is known already.
   * It is no step: only the log tells of it.
   */
  prepare(work: StepWork<Preparation>): Promise<Outcome>;
  /** Writes down what happened, once. The same event again changes nothing. */
  record(event: RecordedEvent): Promise<void>;
  /**
   * A loop begins an iteration, unless the run was cancelled or a limit around it has passed: then that is the answer, and
   * it is kept as well. Loops whose steps are all skipped perform nothing, so that this is where they can be stopped.
   */
  iterate(iteration: Iteration): Promise<Stopped | undefined>;
  /** The run waits for a person. Resolves with what was said; may never resolve. */
  wait(wait: Wait): Promise<Signal>;
}

export interface Iteration {
  path: string;
  iteration: number;
  /** The loops around it that have a limit of their own, and the loop itself if it has one. */
  within: TimedScope[];
}

export type Stopped = Extract<Outcome, { kind: "timeout" | "cancelled" }>;

/** What happens without any work of a step: it only has to be written down. */
export type RecordedEvent =
  | ({ kind: "skipped" } & StepAddress)
  | ({ kind: "loop_started" } & StepAddress)
  | ({ kind: "loop_ended"; result: StepResult } & StepAddress)
  /** A merge came to its end by what a person said, without any work. */
  | ({ kind: "merge_started"; offer: MergeOffer } & StepAddress)
  | ({ kind: "completed"; result: StepResult } & StepAddress);

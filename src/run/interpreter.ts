import { reservedNames, type LoopStep, type Step } from "../contract/grimoire.ts";
import { worktreePath, type Signal, type StepAddress, type StepResult, type TimedScope } from "../contract/run.ts";
import type { AnsweredPermission } from "../contract/permission.ts";
import type { PinnedRun } from "../contract/pinned-run.ts";
import type { DurablePort, Stopped } from "./durable-port.ts";
import { failureHalt, limitHalt, loopTimeout, permissionHalt, runTimeout, type Halt } from "./halts.ts";
import { Iterations } from "./iteration-summaries.ts";
import { LastResults } from "./blocked-context.ts";
import { asksForChanges } from "./merge-results.ts";
import { RunScope, Sequence } from "./scope.ts";
import { StepAttempts, type WorkStep } from "./step-attempts.ts";

export type RunEnd = "completed" | "cancelled";

/**
 * Goes through a grimoire's steps. A function of the pinned run and of what the port answers, and of nothing else: the
 * same answers always lead the same way, so that a run can be interpreted anew from its journal at any time. Rejects
 * only with what the port rejects with.
 */
export async function interpret(pinned: PinnedRun, port: DurablePort): Promise<RunEnd> {
  try {
    const interpreter = new Interpreter(pinned, port);
    if (pinned.worktree) await interpreter.makeWorktree();
    await interpreter.sequence(pinned.grimoire.steps, new Sequence(), outermost);
    return "completed";
  } catch (error) {
    if (error instanceof Cancelled) return "cancelled";
    throw error;
  }
}

/** Leaves all loops at once. */
class Cancelled extends Error {}

/** Leaves the loops inside the one that took too long. */
class LoopTimeout extends Error {
  readonly scope: StepAddress;

  constructor(scope: StepAddress) {
    super(`${scope.path} took too long`);
    this.scope = scope;
  }
}

/** What is around a list of steps. */
interface Surroundings {
  /** What the paths of its steps begin with. */
  prefix: string;
  timed: TimedScope[];
  iterations: Iterations | undefined;
}

const outermost: Surroundings = { prefix: "", timed: [], iterations: undefined };

type NextMove = "next" | "exit_loop" | "next_iteration";

class Interpreter {
  readonly #port: DurablePort;
  readonly #scope: RunScope;
  readonly #attempts: StepAttempts;
  readonly #lastResults = new LastResults();

  constructor(pinned: PinnedRun, port: DurablePort) {
    this.#port = port;
    this.#scope = new RunScope(pinned.bead, pinned.variables);
    this.#attempts = new StepAttempts(pinned, port);
  }

  /** Every step works there, so nothing begins before it is ready. */
  async makeWorktree(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const address = { path: worktreePath, attempt };
      const limits = { timeout_ms: this.#attempts.runLimitMs, within: [] };
      const outcome = await this.#port.prepare({ ...address, input: { kind: "worktree" }, warnings: [], ...limits });
      if (outcome.kind === "cancelled") throw new Cancelled();
      if (outcome.kind === "done" && outcome.result.success) return;
      const halt =
        outcome.kind === "done" ? { ...failureHalt(outcome.result), reason: "worktree" as const } : runTimeout;
      await this.#wait(halt, address, outermost);
    }
  }

  /** Returns whether a step asked to leave the loop around, or its iteration. */
  async sequence(steps: Step[], sequence: Sequence, surroundings: Surroundings): Promise<NextMove> {
    for (const step of steps) {
      const path = surroundings.prefix + step.name;
      const result =
        step.type === "loop"
          ? await this.#loop(step, path, sequence, surroundings)
          : await this.#work(step, path, sequence, surroundings);
      if (result === "skipped") continue;
      this.#scope.recordResult(step, result, sequence);
      surroundings.iterations?.add(step.name, result);
      if (result.success && "on_success" in step && step.on_success === "exit_loop") return "exit_loop";
      if (step.type === "merge" && asksForChanges(result)) return "next_iteration";
    }
    return "next";
  }

  /** Tries a step until it succeeds, may fail, or the run is given up. */
  async #work(
    step: WorkStep,
    path: string,
    sequence: Sequence,
    surroundings: Surroundings,
  ): Promise<StepResult | "skipped"> {
    let lastFailure: StepResult | undefined;
    let answered: AnsweredPermission | undefined;
    let stoppedAt: StepResult["limit"];
    let tried = step;
    const wait = async (halt: Halt, address: StepAddress): Promise<Signal> => {
      const signal = await this.#wait(halt, address, surroundings);
      if (signal.kind === "retry") tried = withoutInputs(tried, Object.keys(signal.inputs));
      return signal;
    };
    for (let attempt = 1; ; attempt++) {
      const address = { path, attempt };
      const variables = this.#scope.variablesFor(sequence);
      const before = { timed: surroundings.timed, lastFailure, answered, stoppedAt };
      const outcome = await this.#attempts.try(tried, address, variables, before);
      answered = undefined;
      stoppedAt = undefined;
      if ("status" in outcome) {
        await wait(outcome, address);
        lastFailure = undefined;
      } else if (outcome.kind === "skipped") return "skipped";
      else if (outcome.kind === "cancelled") throw new Cancelled();
      else if (outcome.kind === "timeout") {
        if (outcome.given) this.#lastResults.add(address, outcome.given);
        if (outcome.scope) throw new LoopTimeout(outcome.scope);
        await wait(runTimeout, address);
      } else {
        const { result } = outcome;
        this.#lastResults.add(address, result);
        if (result.permission) {
          const signal = await wait(permissionHalt(result), address);
          if (signal.kind === "permission") answered = { ...result.permission, option: signal.option };
          continue;
        }
        if (result.limit) {
          await wait(limitHalt(result), address);
          // What it gave is not lost because it took a little more than it may.
          if (result.success) return result;
          stoppedAt = result.limit;
          continue;
        }
        if (result.success || ("on_fail" in step && step.on_fail === "continue")) return result;
        if (step.type === "merge" && asksForChanges(result)) return result;
        // A merge that could not be landed is offered anew: what is asked then is another question.
        if (step.type === "merge" || result.missing) lastFailure = result;
        if (step.type !== "merge") await wait(failureHalt(result, step.on_fail), address);
      }
    }
  }

  async #loop(
    step: LoopStep,
    path: string,
    sequence: Sequence,
    surroundings: Surroundings,
  ): Promise<StepResult | "skipped"> {
    const first = await this.#enter(step, path, sequence, surroundings);
    if (first === "skipped") return first;
    const leaveLoop = this.#scope.enterLoop(sequence);
    const innerSequence = new Sequence();
    const iterations = new Iterations(path);
    let iteration = 0;
    try {
      // Retrying a loop that hit its maximum, or its time, grants as much again; iterations go on counting.
      for (let attempt = first; ; attempt++) {
        const address = { path, attempt };
        await this.#port.record({ kind: "loop_started", ...address });
        const timed =
          step.timeout_ms === undefined
            ? surroundings.timed
            : [...surroundings.timed, { ...address, timeout_ms: step.timeout_ms }];
        let halt: Halt | undefined;
        for (let remaining = step.max_iterations; remaining > 0 && !halt; remaining--) {
          const stopped = await this.#port.iterate({ path, iteration: ++iteration, within: timed });
          if (stopped) {
            halt = haltOf(stopped, address);
            break;
          }
          this.#scope.iterate(iteration);
          iterations.begin(iteration);
          const within = { prefix: `${path}[${iteration}]/`, timed, iterations };
          const nextMove = await this.#iteration(step, innerSequence, within, address);
          if (nextMove === "exit_loop") return await this.#loopEnded(address, true, innerSequence);
          if (nextMove === "timeout") halt = loopTimeout;
        }
        if (!halt && step.on_max_iterations !== "block") {
          return await this.#loopEnded(address, step.on_max_iterations === "exit", innerSequence);
        }
        await this.#wait(halt ?? tooMany(step), address, { ...surroundings, iterations });
      }
    } finally {
      leaveLoop();
    }
  }

  /** Decides whether a loop runs at all; gives the number of its first attempt. */
  async #enter(
    step: LoopStep,
    path: string,
    sequence: Sequence,
    surroundings: Surroundings,
  ): Promise<number | "skipped"> {
    for (let attempt = 1; ; attempt++) {
      const address = { path, attempt };
      if (this.#port.recall(address)?.kind === "skipped") return "skipped";
      const decision = this.#attempts.decide(step, this.#scope.variablesFor(sequence));
      if (decision === true) return attempt;
      if (decision === false) {
        await this.#port.record({ kind: "skipped", ...address });
        return "skipped";
      }
      await this.#wait(decision, address, surroundings);
    }
  }

  async #iteration(
    step: LoopStep,
    innerSequence: Sequence,
    surroundings: Surroundings,
    { path, attempt }: StepAddress,
  ): Promise<NextMove | "timeout"> {
    try {
      return await this.sequence(step.steps, innerSequence, surroundings);
    } catch (error) {
      if (error instanceof LoopTimeout && error.scope.path === path && error.scope.attempt === attempt)
        return "timeout";
      throw error;
    }
  }

  async #loopEnded(address: StepAddress, success: boolean, { output }: Sequence): Promise<StepResult> {
    const result: StepResult = { success, output };
    await this.#port.record({ kind: "loop_ended", ...address, result });
    return result;
  }

  /** Waits for a person, and goes on with what was changed. */
  async #wait(halt: Halt, address: StepAddress, { iterations }: Surroundings): Promise<Signal> {
    const explained = this.#lastResults.explain(halt, address);
    const signal = await this.#port.wait({ ...address, ...explained, iterations: iterations?.summaries ?? [] });
    if (signal.kind === "cancel") throw new Cancelled();
    if (signal.kind === "retry") {
      const changes = Object.entries(signal.inputs).filter(([name]) => !reservedNames.includes(name));
      this.#scope.change(Object.fromEntries(changes));
      if (signal.engine !== undefined) this.#attempts.useEngine(signal.engine);
    }
    return signal;
  }
}

/** A step whose own inputs of these names give way to the variables: what a person gives with a retry is what it gets. */
function withoutInputs(step: WorkStep, names: string[]): WorkStep {
  if (!("input" in step) || names.length === 0) return step;
  const input = Object.fromEntries(Object.entries(step.input).filter(([name]) => !names.includes(name)));
  return { ...step, input };
}

/** Why a loop does not begin another iteration; leaves it when the reason lies around it. */
function haltOf(stopped: Stopped, loop: StepAddress): Halt {
  if (stopped.kind === "cancelled") throw new Cancelled();
  if (!stopped.scope) return runTimeout;
  if (stopped.scope.path !== loop.path || stopped.scope.attempt !== loop.attempt) throw new LoopTimeout(stopped.scope);
  return loopTimeout;
}

function tooMany({ max_iterations }: LoopStep): Halt {
  const times = max_iterations === 1 ? "one iteration" : `${max_iterations} iterations`;
  return {
    status: "blocked",
    reason: "max_iterations",
    message: `did not come to its end in ${times}; a retry grants as many again`,
  };
}

import type { EngineEvent } from "../../contract/engine.ts";
import type { LimitKind, Limits, ReachedLimit } from "../../contract/limits.ts";
import { ofRedactedParts } from "../../contract/redacted.ts";
import type { StepResult } from "../../contract/run.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import type { AgentInput } from "../../contract/step-input.ts";
import { limitWords } from "../../engine/limits.ts";
import type { Budget, WorkContext } from "../../run/handlers.ts";
import type { AgentEnd, AgentHandle, Agents } from "../engine/agents.ts";
import { LimitWatch, unknownCostWarning } from "../engine/limit-watch.ts";

interface Held {
  watch: LimitWatch;
  /** How long the agent may work from now on. */
  remainingMs: number | undefined;
}

/**
 * Keeps the agent of a step to two kinds of limits: those of its run, which all its agents share, and those of its own file,
 * which count for each start. Where the run has a limit of one kind, the file's does not count.
 */
export class StepLimits {
  readonly #held: Held[];
  readonly #budget: Budget | undefined;
  /** Whether one of them is a limit of cost. */
  readonly needsCost: boolean;

  constructor({ agent: context }: WorkContext, { agent, limits: own }: Pick<AgentInput, "agent" | "limits">) {
    const budget = context?.budget;
    this.#budget = budget;
    if (!budget) {
      this.#held = [];
      this.needsCost = false;
      return;
    }
    const { limits, usage, rounds } = budget;
    const begunMs = budget.runningMs();
    const ofFile = withoutKinds(own ?? {}, limits);
    const shared = new LimitWatch({ limits, before: { usage, rounds }, timeMs: () => budget.runningMs() });
    const single = new LimitWatch({
      limits: ofFile,
      before: { rounds: 0 },
      timeMs: () => budget.runningMs() - begunMs,
      agent: agent ?? "",
    });
    this.#held = [
      { watch: shared, remainingMs: limits.max_time_ms && limits.max_time_ms - begunMs },
      { watch: single, remainingMs: ofFile.max_time_ms },
    ];
    this.needsCost = limits.max_cost_usd !== undefined || ofFile.max_cost_usd !== undefined;
  }

  /** The limit for which the agent was stopped. */
  get reached(): ReachedLimit | undefined {
    return this.#first(({ reached }) => reached);
  }

  /** What is reached before the agent has begun. */
  atStart(): ReachedLimit | undefined {
    return this.#first((watch) => watch.atStart());
  }

  /** How many rounds the agent may make; undefined without a limit of them. */
  get roundsLeft(): number | undefined {
    const counts = this.#held.flatMap(({ watch }) => watch.roundsLeft ?? []);
    return counts.length === 0 ? undefined : Math.min(...counts);
  }

  take(event: EngineEvent, agent: AgentHandle): void {
    for (const { watch } of this.#held) watch.take(event, agent);
  }

  /** Stops the agent when it has worked as long as it may. Returns how to call that off. */
  begin(agent: AgentHandle): () => void {
    const alarms = this.#held.flatMap(({ watch, remainingMs }) =>
      remainingMs === undefined ? [] : [this.#budget!.after(remainingMs, () => watch.timeIsUp(agent))],
    );
    return () => alarms.forEach((callOff) => callOff());
  }

  atEnd(end: AgentEnd): ReachedLimit | undefined {
    return (
      this.#first((watch) => (watch.reached ? watch.atEnd(end) : undefined)) ?? this.#first((watch) => watch.atEnd(end))
    );
  }

  #first(limitOf: (watch: LimitWatch) => ReachedLimit | undefined): ReachedLimit | undefined {
    for (const { watch } of this.#held) {
      const limit = limitOf(watch);
      if (limit) return limit;
    }
    return undefined;
  }
}

function withoutKinds(limits: Limits, taken: Limits): Limits {
  return Object.fromEntries(Object.entries(limits).filter(([kind]) => taken[kind as LimitKind] === undefined));
}

/** A limit destroys nothing: what the agent gave counts, and one that was stopped goes on in its engine's session. */
export function limitResult(result: StepResult, limit: ReachedLimit, engineSession: string | undefined): StepResult {
  const stoppedAt = { ...limit, ...(engineSession !== undefined && { engine_session: engineSession }) };
  return { ...result, ...(!result.success && { error: limitWords(limit) }), limit: stoppedAt };
}

/** Lines with what an agent has used in all, each time that it is more. */
export function createUsageNotes(): (agent: Pick<AgentHandle, "usage" | "rounds">) => HandlerNote[] {
  let last = JSON.stringify({ input_tokens: 0, output_tokens: 0, rounds: 0 });
  return ({ usage, rounds }) => {
    const figures = { ...usage!, rounds };
    const text = JSON.stringify(figures);
    if (text === last) return [];
    last = text;
    return [ofRedactedParts({ type: "agent.usage", ...figures })];
  };
}

/** Warns at once when a limit of cost holds and the cost of the agent cannot be known. */
export class CostCheck {
  readonly #agents: Pick<Agents, "isCostKnown">;
  readonly #engine: string;
  readonly #log: WorkContext["log"];
  #check: Promise<void> | undefined;

  constructor(agents: Pick<Agents, "isCostKnown">, engine: string, log: WorkContext["log"]) {
    this.#agents = agents;
    this.#engine = engine;
    this.#log = log;
  }

  begin(model: string | undefined): void {
    this.#check ??= this.#warn(model);
    // What it throws is thrown by `settled`.
    this.#check.catch(() => undefined);
  }

  /** Throws when the warning could not be logged. */
  async settled(): Promise<void> {
    await this.#check;
  }

  async #warn(model: string | undefined): Promise<void> {
    if (await this.#agents.isCostKnown(this.#engine, model)) return;
    this.#log({ type: "step.warning", message: unknownCostWarning(this.#engine, model) });
  }
}

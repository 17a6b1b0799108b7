import type { ReachedLimit } from "../../contract/limits.ts";
import { ofRedactedParts } from "../../contract/redacted.ts";
import type { StepResult } from "../../contract/run.ts";
import type { HandlerNote } from "../../contract/run-journal.ts";
import { limitWords } from "../../engine/limits.ts";
import type { WorkContext } from "../../run/handlers.ts";
import type { AgentHandle, Agents } from "../engine/agents.ts";
import { LimitWatch, unknownCostWarning } from "../engine/limit-watch.ts";

/** What keeps the agent of a step to the limits of its run; undefined when the run has none. */
export function watchOf({ agent }: WorkContext): LimitWatch | undefined {
  const budget = agent?.budget;
  if (!budget) return undefined;
  const { limits, usage, rounds } = budget;
  return new LimitWatch({ limits, before: { usage, rounds }, timeMs: () => budget.runningMs() });
}

/** Calls `onTime` when the run has worked as long as it may. Returns how to call it off. */
export function alarmOf({ agent }: WorkContext, onTime: () => void): () => void {
  const budget = agent?.budget;
  const limitMs = budget?.limits.max_time_ms;
  return !budget || limitMs === undefined ? () => undefined : budget.after(limitMs - budget.runningMs(), onTime);
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

/** Warns at once when the run has a limit of cost and the cost of its agent cannot be known. */
export class CostCheck {
  readonly #agents: Pick<Agents, "isCostKnown">;
  readonly #engine: string;
  readonly #context: WorkContext;
  #check: Promise<void> | undefined;

  constructor(agents: Pick<Agents, "isCostKnown">, engine: string, context: WorkContext) {
    this.#agents = agents;
    this.#engine = engine;
    this.#context = context;
  }

  begin(model: string | undefined): void {
    if (this.#context.agent?.budget?.limits.max_cost_usd === undefined) return;
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
    this.#context.log({ type: "step.warning", message: unknownCostWarning(this.#engine, model) });
  }
}

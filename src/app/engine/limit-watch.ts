import type { EngineEvent } from "../../contract/engine.ts";
import type { Limits, ReachedLimit } from "../../contract/limits.ts";
import { addUsage, type Usage } from "../../contract/run.ts";
import { limitReached, type Spent } from "../../engine/limits.ts";
import type { AgentEnd, AgentHandle } from "./agents.ts";

interface WatchParts {
  limits: Limits;
  /** What was used before this agent. */
  before: { usage?: Usage | undefined; rounds: number };
  /** Time at work so far. */
  timeMs: () => number;
  /** The agent whose file sets the limits; absent when options do. */
  agent?: string;
}

type Used = Pick<AgentHandle, "usage" | "rounds">;

/** Watches whether an agent keeps to its limits, and stops it gently when one is reached. */
export class LimitWatch {
  readonly #parts: WatchParts;
  readonly #openCalls = new Set<string>();
  /** The limit for which the agent was stopped. */
  reached: ReachedLimit | undefined;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** What is reached before the agent has begun. */
  atStart(): ReachedLimit | undefined {
    return this.#reachedWith({ usage: undefined, rounds: 0 });
  }

  /** How many rounds are left; undefined without a limit of them. */
  get roundsLeft(): number | undefined {
    const { limits, before } = this.#parts;
    return limits.max_rounds === undefined ? undefined : Math.max(1, limits.max_rounds - before.rounds);
  }

  /** An agent may finish its last round: it is stopped when the next would begin, or has. */
  take(event: EngineEvent, agent: AgentHandle): void {
    if (event.type === "tool_call") this.#openCalls.add(event.id);
    if (event.type === "tool_result") this.#openCalls.delete(event.id);
    if (event.type === "usage") this.#stop(agent, this.#reachedWith(agent, { passed: true }));
    if (event.type === "tool_result" && this.#openCalls.size === 0) this.betweenRounds(agent);
    // It kept to its rounds by itself.
    if (event.type === "result" && event.out_of_rounds)
      this.reached ??= this.#reachedWith(agent, { kinds: ["max_rounds"] });
  }

  /** Stops it unless there is something left for the next round. */
  betweenRounds(agent: AgentHandle): void {
    this.#stop(agent, this.#reachedWith(agent));
  }

  /** The time at work has passed; a timer may be a little early. */
  timeIsUp(agent: AgentHandle): void {
    const { limits, timeMs } = this.#parts;
    const limit = limits.max_time_ms;
    if (limit === undefined) return;
    this.#stop(agent, this.#named({ kind: "max_time_ms", limit, used: Math.max(limit, timeMs()) }));
  }

  /** The limit that the agent was stopped for, or has passed when it came to its end, with all that was used. */
  atEnd(end: AgentEnd): ReachedLimit | undefined {
    const used = { usage: end.usage, rounds: end.rounds ?? 0 };
    const { reached } = this;
    if (!reached) return this.#reachedWith(used, { passed: true });
    return this.#reachedWith(used, { kinds: [reached.kind] }) ?? reached;
  }

  #reachedWith(used: Used, options?: Parameters<typeof limitReached>[2]): ReachedLimit | undefined {
    return this.#named(limitReached(this.#parts.limits, this.#spent(used), options));
  }

  #named<Limit extends ReachedLimit | undefined>(limit: Limit): Limit {
    const { agent } = this.#parts;
    return limit && agent !== undefined ? { ...limit, agent } : limit;
  }

  #spent({ usage, rounds }: Used): Spent {
    const { before, timeMs } = this.#parts;
    const sum = before.usage && usage ? addUsage(before.usage, usage) : (usage ?? before.usage);
    return { usage: sum, rounds: before.rounds + rounds, timeMs: timeMs() };
  }

  #stop(agent: AgentHandle, limit: ReachedLimit | undefined): void {
    if (!limit || this.reached) return;
    this.reached = limit;
    agent.stop();
  }
}

/** What to say when a limit of cost cannot hold; undefined when it can. */
export function unknownCostWarning(engine: string, model: string | undefined): string {
  const why = model === undefined ? "and names no model" : `and the price of ${model} is not known`;
  return `--max-cost does not hold here: ${engine} does not tell what it costs, ${why}; --max-tokens does`;
}

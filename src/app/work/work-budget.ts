import { addUsage, type Usage } from "../../contract/run.ts";
import { limitWords } from "../../engine/limits.ts";
import { ChatBudget, type TalkLimits, type WorkClock } from "../agent/chat-budget.ts";
import type { AgentEnd } from "../engine/agents.ts";
import { LimitWatch } from "../engine/limit-watch.ts";
import type { WorkParts } from "./parts.ts";
import type { AgentChoice } from "./plan.ts";

/** What a person lets all agents of one drive use together. */
export class WorkBudget {
  readonly #limits: TalkLimits | undefined;
  readonly #clock: WorkClock;
  #usage: Usage | undefined;
  #rounds = 0;

  constructor(limits: TalkLimits | undefined, clock: WorkClock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get total(): { usage?: Usage; rounds: number } {
    return { ...(this.#usage && { usage: this.#usage }), rounds: this.#rounds };
  }

  add({ usage, rounds = 0 }: Pick<AgentEnd, "usage" | "rounds">): void {
    if (usage) this.#usage = this.#usage ? addUsage(this.#usage, usage) : usage;
    this.#rounds += rounds;
  }

  /** The limit that leaves nothing for a further agent, in words. */
  reached(): string | undefined {
    if (!this.#limits) return undefined;
    const { options, file } = this.#limits;
    const limits = { ...file?.limits, ...options };
    const reached = new LimitWatch({ limits, before: this.total, timeMs: () => this.#clock.runningMs }).atStart();
    return reached && limitWords(reached);
  }

  forAgent(parts: WorkParts, { engine, model }: AgentChoice, warn: (message: string) => void): ChatBudget | undefined {
    if (!this.#limits) return undefined;
    return new ChatBudget({
      limits: this.#limits,
      clock: this.#clock,
      before: this.total,
      oneShot: true,
      engine,
      model,
      isCostKnown: (each) => parts.agents.agents.isCostKnown(engine, each),
      warn,
    });
  }
}

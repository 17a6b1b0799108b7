import type { TalkNews } from "../../contract/api/agent.ts";
import type { EngineEvent } from "../../contract/engine.ts";
import type { Limits } from "../../contract/limits.ts";
import type { Usage } from "../../contract/run.ts";
import { limitWords, raisedLimit } from "../../engine/limits.ts";
import type { AgentEnd, AgentHandle } from "../engine/agents.ts";
import { LimitWatch, unknownCostWarning } from "../engine/limit-watch.ts";

/** Time at work: while it is held, none passes. */
export interface WorkClock {
  readonly runningMs: number;
  hold(): void;
  release(): void;
  /** Calls `work` when so much time has passed; returns how to call it off. */
  after(ms: number, work: () => void): () => void;
}

interface Parts {
  /** Those of options go before those of the agent's file. */
  limits: TalkLimits;
  clock: WorkClock;
  /** What others have used of it already. */
  before?: { usage?: Usage; rounds: number };
  /** Whether the agent ends after its first answer. */
  oneShot: boolean;
  engine: string;
  /** What was asked for; the engine may tell another. */
  model: string | undefined;
  isCostKnown: (model: string | undefined) => Promise<boolean>;
  warn: (message: string) => void;
}

/** What the agent of a talk may use: by the options, and by its file. */
export interface TalkLimits {
  options: Limits;
  file?: { agent: string; limits: Limits };
}

type Limit = NonNullable<Extract<TalkNews, { type: "ended" }>["limit"]>;

/** Keeps the agent of a talk to its limits. Its time stands still while a person is asked, and between two messages. */
export class ChatBudget {
  readonly #parts: Parts;
  readonly #watch: LimitWatch;
  readonly #limits: Limits;
  /** What the clock is held for: permissions, and `message` between two rounds. */
  readonly #waits = new Set<string>();
  #callOff = (): void => {};
  #checking: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { clock, before = { rounds: 0 } } = parts;
    const { options, file } = parts.limits;
    const limits = { ...file?.limits, ...options };
    this.#limits = limits;
    this.#watch = new LimitWatch({ limits, before, timeMs: () => clock.runningMs });
  }

  /** Whether there is a limit of cost. */
  get needsCost(): boolean {
    return this.#limits.max_cost_usd !== undefined;
  }

  /** How many rounds the agent may make; undefined without a limit of them. */
  get roundsLeft(): number | undefined {
    return this.#watch.roundsLeft;
  }

  /** Whether the agent was stopped at a limit, or ended there by itself. */
  get isReached(): boolean {
    return this.#watch.reached !== undefined;
  }

  begin(agent: AgentHandle): void {
    const { max_time_ms } = this.#limits;
    if (max_time_ms === undefined) return;
    this.#callOff = this.#parts.clock.after(max_time_ms - this.#parts.clock.runningMs, () =>
      this.#watch.timeIsUp(agent),
    );
  }

  take(event: EngineEvent, agent: AgentHandle): void {
    if (event.type === "init") this.#checkCost(event.model ?? this.#parts.model);
    this.#watch.take(event, agent);
    if (event.type !== "result" || this.#parts.oneShot) return;
    this.wait("message");
    this.#watch.betweenRounds(agent);
  }

  wait(what: string): void {
    if (this.#waits.has(what)) return;
    this.#waits.add(what);
    this.#parts.clock.hold();
  }

  goOn(what = "message"): void {
    if (this.#waits.delete(what)) this.#parts.clock.release();
  }

  /** The agent is gone, and waits for nobody any more: the clock may be that of later ones, too. */
  async end(): Promise<void> {
    this.#callOff();
    for (const what of this.#waits) this.goOn(what);
    await this.#checking;
  }

  /** `command` goes on with the talk. */
  reachedAt(end: AgentEnd, command: string): Limit | undefined {
    const reached = this.#watch.atEnd(end);
    if (!reached) return undefined;
    const { options, file } = this.#parts.limits;
    const isOfFile = file !== undefined && options[reached.kind] === undefined;
    const limit = { ...reached, ...(isOfFile && { agent: file.agent }) };
    return { ...limit, message: limitWords(limit), command: `${command} ${raisedLimit(limit)}` };
  }

  #checkCost(model: string | undefined): void {
    if (this.needsCost) this.#checking ??= this.#warnOfCost(model);
  }

  async #warnOfCost(model: string | undefined): Promise<void> {
    const { engine, isCostKnown, warn } = this.#parts;
    if (!(await isCostKnown(model))) warn(unknownCostWarning(engine, model));
  }
}

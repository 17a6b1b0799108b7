import { setTimeout as pause } from "node:timers/promises";
import type { ChildInput } from "../shell/child-input.ts";

interface EndedAgent {
  stdin: ChildInput;
  /** Settles when the agent is over. */
  over: () => Promise<unknown>;
  /** How long each way to end it has before the next, harder one. */
  stopMs: number;
}

/** Brings an agent's process to its end. */
export class AgentEnding {
  readonly #agent: EndedAgent;
  readonly #ending = new AbortController();
  readonly #killing = new AbortController();
  /** Counts what the engine printed. */
  #chunks = 0;
  #onResult = (): void => {};

  constructor(agent: EndedAgent) {
    this.#agent = agent;
  }

  /** Aborted when the process gets SIGTERM. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Aborted when the process gets SIGKILL. */
  get killSignal(): AbortSignal {
    return this.#killing.signal;
  }

  sawOutput(): void {
    this.#chunks += 1;
  }

  sawResult(): void {
    this.#onResult();
  }

  /** Only in this order do all engines end their own processes: interrupt, result, end of stdin, SIGTERM. */
  async endGently(interrupt?: () => void): Promise<void> {
    const over = this.#over();
    if (interrupt) {
      const roundEnded = new Promise<void>((resolve) => (this.#onResult = resolve));
      interrupt();
      await Promise.race([roundEnded, over, this.#patience()]);
    }
    this.#agent.stdin.close();
    await Promise.race([over, this.#patience()]);
    this.terminate();
  }

  /** It has given its result: it ends by itself when its stdin does. Waits until it is over, or prints nothing any more. */
  async awaitEnd(isOver: () => boolean): Promise<void> {
    const over = this.#over();
    this.#agent.stdin.close();
    for (let seen = -1; seen !== this.#chunks && !isOver();) {
      seen = this.#chunks;
      await Promise.race([over, this.#patience()]);
    }
  }

  terminate(): void {
    this.#ending.abort();
  }

  kill(): void {
    this.#killing.abort();
    this.#ending.abort();
  }

  #over(): Promise<void> {
    return this.#agent.over().then(nothing, nothing);
  }

  #patience(): Promise<void> {
    return pause(this.#agent.stopMs, undefined, { ref: false });
  }
}

function nothing(): void {}

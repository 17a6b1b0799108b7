import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { endNow } from "../support/processes.ts";
import { outcomeOf, type Outcome } from "../support/repo.ts";

/** How one kind of command ended, when it was left alone or struck. */
export interface Struck extends Outcome {
  isKilled: boolean;
}

/** Kills commands at random instants of their lives, also on a machine that is busy: it knows how long they take. */
export class Killer {
  readonly #next: () => number;
  readonly #usualMs = new Map<string, number>();
  /** How many were alive when they were struck. */
  kills = 0;

  constructor(next: () => number) {
    this.#next = next;
  }

  /** Waits for a command; `share` of them are killed. `doomed` says who dies with it. */
  async strike(
    child: ChildProcess,
    kind: string,
    share: number,
    doomed: () => Iterable<number> = () => [child.pid!],
  ): Promise<Struck> {
    const began = performance.now();
    const ended = outcomeOf(child);
    const isDoomed = this.#next() < share;
    const instantMs = this.#next() * 1.2 * (this.#usualMs.get(kind) ?? 200);
    if (!isDoomed) {
      const outcome = await ended;
      const before = this.#usualMs.get(kind);
      const lastedMs = performance.now() - began;
      this.#usualMs.set(kind, before === undefined ? lastedMs : before * 0.8 + lastedMs * 0.2);
      return { ...outcome, isKilled: false };
    }
    const isLate = (await Promise.race([ended.then(() => "ended"), sleep(instantMs, "alive")])) === "ended";
    if (!isLate) {
      for (const pid of doomed()) endNow(pid);
      this.kills++;
    }
    return { ...(await ended), isKilled: !isLate };
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { DriverSession, type DriverSessionParts } from "./driver-session.ts";

const lookAgainMs = 10;

export interface PresenceParts extends DriverSessionParts {
  /** Names this process among all that ever use the database. */
  executorId: string;
  /** The session is open again after it was lost. Meanwhile, other processes took this one for dead. */
  onReturn: () => Promise<void>;
}

/** Shows other processes that this one lives: its session holds a lock with its name. A lost session is opened again. */
export class Presence {
  readonly #parts: PresenceParts;
  #session: Promise<DriverSession> | undefined;
  #wasLost = false;

  constructor(parts: PresenceParts) {
    this.#parts = parts;
  }

  session(): Promise<DriverSession> {
    this.#session ??= this.#open().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  /** Runs `work` if that process is dead; it cannot return before the work is done. */
  async ifDead(executorId: string, work: () => Promise<void>): Promise<void> {
    const release = await (await this.session()).tryAcquire(processLock(executorId));
    if (!release) return;
    try {
      await work();
    } finally {
      await release();
    }
  }

  async close(): Promise<void> {
    await (await this.#session)?.close();
  }

  async #open(): Promise<DriverSession> {
    const { executorId, onLost, onReturn } = this.#parts;
    const session = await DriverSession.open({
      ...this.#parts,
      onLost: () => {
        this.#session = undefined;
        this.#wasLost = true;
        onLost();
      },
    });
    // Another process may hold it for a moment, to remove this one's queue.
    while (!(await session.tryAcquire(processLock(executorId)))) await sleep(lookAgainMs);
    if (this.#wasLost) await onReturn();
    this.#wasLost = false;
    return session;
  }
}

function processLock(executorId: string): string {
  return `clew process ${executorId}`;
}

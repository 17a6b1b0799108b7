import { setTimeout as sleep } from "node:timers/promises";
import { DriverSession, type SessionParts } from "./driver-session.ts";

const lookAgainMs = 10;

export interface PresenceParts extends SessionParts {
  /** Names this process among all that ever use the database. */
  executorId: string;
  /** The session is there again after it was lost. Until then, others had to take this process for dead. */
  onReturn: () => Promise<void>;
}

/** How other processes know that this one lives: its session holds a lock with its name. Opened anew when it was lost. */
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

  /** Does the work if that process is dead; it cannot come back before the work is done. */
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
    // Another process may hold it for a moment, to remove what this one left.
    while (!(await session.tryAcquire(processLock(executorId)))) await sleep(lookAgainMs);
    if (this.#wasLost) await onReturn();
    this.#wasLost = false;
    return session;
  }
}

function processLock(executorId: string): string {
  return `clew process ${executorId}`;
}

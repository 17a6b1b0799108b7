import { ClewError } from "../contract/errors.ts";

const perSecond = 200;
const burst = 1_000;
/** Clients that are remembered; the oldest is forgotten, and begins anew. */
const maxClients = 1_000;

/** Lets each client ask so often: a store of requests that fills again by and by. */
export class RateLimit {
  readonly #stores = new Map<string, { left: number; at: number }>();
  readonly #elapsedMs: () => number;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /** Throws `too_many_requests`. */
  take(client: string): void {
    const at = this.#elapsedMs();
    const store = this.#stores.get(client);
    const left = Math.min(burst, store ? store.left + ((at - store.at) / 1000) * perSecond : burst) - 1;
    this.#stores.delete(client);
    this.#stores.set(client, { left: Math.max(left, 0), at });
    if (this.#stores.size > maxClients) this.#stores.delete(this.#stores.keys().next().value!);
    if (left < 0) {
      throw new ClewError("too_many_requests", `more than ${perSecond} requests a second`, "wait a second, then go on");
    }
  }
}

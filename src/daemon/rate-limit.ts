import { ClewError } from "../contract/errors.ts";

const perSecond = 200;
const burst = 1_000;
/** Tokens that are remembered; the oldest is forgotten, and begins anew. */
const maxTokens = 1_000;

interface Store {
  left: number;
  atMs: number;
}

/** Lets each client ask so often: a store of requests that fills again by and by. */
export class RateLimit {
  readonly #ofTokens = new Map<string, Store>();
  readonly #ofConnections = new WeakMap<object, Store>();
  readonly #elapsedMs: () => number;

  constructor(elapsedMs: () => number) {
    this.#elapsedMs = elapsedMs;
  }

  /**
   * A client is a token, by its id, or else a connection: programs without a token cannot be told apart in any other way, and
   * one that asks too often must not stop the others. Throws `too_many_requests`, also when less than the `cost` is left.
   */
  take(client: string | object, cost = 1): void {
    const before = typeof client === "string" ? this.#ofTokens.get(client) : this.#ofConnections.get(client);
    const atMs = this.#elapsedMs();
    const left = Math.min(burst, before ? before.left + ((atMs - before.atMs) / 1000) * perSecond : burst) - cost;
    const store = { left: Math.max(left, 0), atMs };
    if (typeof client === "string") this.#keep(client, store);
    else this.#ofConnections.set(client, store);
    if (left < 0)
      throw new ClewError("too_many_requests", `more than ${perSecond} requests a second`, "wait a second, then go on");
  }

  #keep(token: string, store: Store): void {
    this.#ofTokens.delete(token);
    this.#ofTokens.set(token, store);
    if (this.#ofTokens.size > maxTokens) this.#ofTokens.delete(this.#ofTokens.keys().next().value!);
  }
}

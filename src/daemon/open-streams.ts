import type { ServerResponse } from "node:http";
import { ClewError } from "../contract/errors.ts";

/** Streams that may be open at once: of all clients, and of one, so that none keeps the others out. */
const maxStreams = 512;
const maxOfClient = 256;

/** Who opens a stream: a token, or all together that have none. */
export interface StreamClient {
  id: string;
  hasToken: boolean;
}

/** The streams that are open, each until its response is closed. */
export class OpenStreams {
  /** By client, the oldest first. */
  readonly #open = new Map<string, Set<ServerResponse>>();

  get count(): number {
    return [...this.#open.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * Throws when there would be too many of a token's or of all. Without a token, any program may be among them: of too many the oldest is
   * cut off, so that a program that never ends its streams keeps no other out. Who still reads comes back where it was.
   */
  add({ id, hasToken }: StreamClient, response: ServerResponse): void {
    const own = this.#open.get(id) ?? new Set();
    const [oldest] = own;
    const isFull = own.size >= maxOfClient;
    if (isFull && hasToken) throw tooMany(`${own.size} streams of this client are open already`);
    if (this.count - (isFull ? 1 : 0) >= maxStreams) throw tooMany(`${maxStreams} streams are open already`);
    if (isFull) {
      this.#remove(id, oldest!);
      oldest!.destroy();
    }
    this.#open.set(id, own.add(response));
    response.once("close", () => this.#remove(id, response));
  }

  #remove(client: string, response: ServerResponse): void {
    const own = this.#open.get(client);
    if (own?.delete(response) && own.size === 0) this.#open.delete(client);
  }
}

function tooMany(message: string): ClewError {
  const hint = "close one, or follow several runs by one: GET /events?runs=ONE&runs=OTHER";
  return new ClewError("too_many_requests", message, hint);
}

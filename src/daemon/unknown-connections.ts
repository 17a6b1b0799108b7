import type { Socket } from "node:net";

/** Connections that may stand at the door at once without having shown a token. */
const maxUnknown = 64;

/**
 * The connections of a port on which no token was shown yet. Of too many the oldest is cut off: who has a token shows it at
 * once, so that those who only hold the door open lose their places first.
 */
export class UnknownConnections {
  readonly #connections = new Set<Socket>();

  add(connection: Socket): void {
    this.#connections.add(connection);
    connection.once("close", () => this.#connections.delete(connection));
    if (this.#connections.size > maxUnknown) this.#connections.values().next().value?.destroy();
  }

  /** A token was shown on it. */
  admit(connection: Socket): void {
    this.#connections.delete(connection);
  }
}

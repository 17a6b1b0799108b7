import { LoopbackServer, type Endpoint } from "./loopback-server.ts";

/** An endpoint that is served until it is closed. */
export interface OpenEndpoint {
  url: string;
  /** Ends it: the token is worth nothing from now on. May be repeated. */
  close: () => Promise<void>;
}

/** Serves what all agents of a process call: one server, opened for the first endpoint and closed with the last. */
export class SharedServer {
  #listening: Promise<LoopbackServer> | undefined;
  /** Endpoints that are being opened or are open. */
  #count = 0;
  #lastId = 0;

  /** Opens an endpoint below `/FOLDER/`. Rejects with a ClewError when no port of loopback can be had. */
  async open(folder: string, endpoint: Endpoint): Promise<OpenEndpoint> {
    this.#count += 1;
    const path = `/${folder}/${++this.#lastId}`;
    const server = await this.#listen();
    const url = server.add(path, endpoint);
    let closing: Promise<void> | undefined;
    return { url, close: () => (closing ??= this.#close(server, path)) };
  }

  async #listen(): Promise<LoopbackServer> {
    const listening = (this.#listening ??= LoopbackServer.listen().then((server) => server.unref()));
    try {
      return await listening;
    } catch (error) {
      // The next agent tries again.
      if (this.#listening === listening) this.#listening = undefined;
      this.#count -= 1;
      throw error;
    }
  }

  async #close(server: LoopbackServer, path: string): Promise<void> {
    server.remove(path);
    this.#count -= 1;
    if (this.#count > 0) return;
    this.#listening = undefined;
    await server.close();
  }
}

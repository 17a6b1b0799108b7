import type { ResultDesk, ResultTool, ResultTools } from "../app/engine/result-tool.ts";
import { LoopbackServer } from "./loopback-server.ts";
import { serverName } from "./protocol.ts";
import { deskTools } from "./submit-result.ts";
import { newToken } from "./token.ts";

/** Serves the tools of all agents of this process: one server, opened for the first of them and closed with the last. */
export class HttpResultTools implements ResultTools {
  readonly #version: string;
  #listening: Promise<LoopbackServer> | undefined;
  /** Agents that are being opened or are open. */
  #agents = 0;
  #lastId = 0;

  /** `version` is the program's. */
  constructor(version: string) {
    this.#version = version;
  }

  async open(desk: ResultDesk): Promise<ResultTool> {
    this.#agents += 1;
    const path = `/mcp/${++this.#lastId}`;
    const token = newToken();
    const server = await this.#listen();
    const url = server.add(path, { token, server: { version: this.#version, tools: deskTools(desk) } });
    let closing: Promise<void> | undefined;
    return {
      server: { name: serverName, url, headers: { authorization: `Bearer ${token}` } },
      close: () => (closing ??= this.#close(server, path)),
    };
  }

  async #listen(): Promise<LoopbackServer> {
    const listening = (this.#listening ??= LoopbackServer.listen().then((server) => server.unref()));
    try {
      return await listening;
    } catch (error) {
      // The next agent tries again.
      if (this.#listening === listening) this.#listening = undefined;
      this.#agents -= 1;
      throw error;
    }
  }

  async #close(server: LoopbackServer, path: string): Promise<void> {
    server.remove(path);
    this.#agents -= 1;
    if (this.#agents > 0) return;
    this.#listening = undefined;
    await server.close();
  }
}

import type { ResultDesk, ResultTool, ResultTools } from "../app/engine/result-tool.ts";
import { SharedServer } from "../http/shared-server.ts";
import { mcpEndpoint } from "./endpoint.ts";
import { serverName } from "./protocol.ts";
import { deskTools } from "./submit-result.ts";
import { newToken } from "./token.ts";

/** Serves the tools of all agents of this process. */
export class HttpResultTools implements ResultTools {
  readonly #version: string;
  readonly #server: SharedServer;

  /** `version` is the program's. */
  constructor(version: string, server = new SharedServer()) {
    this.#version = version;
    this.#server = server;
  }

  async open(desk: ResultDesk): Promise<ResultTool> {
    const token = newToken();
    const endpoint = mcpEndpoint(token, { version: this.#version, tools: deskTools(desk) });
    const { url, close } = await this.#server.open("mcp", endpoint);
    return { server: { name: serverName, url, headers: { authorization: `Bearer ${token}` } }, close };
  }
}

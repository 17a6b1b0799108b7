import { createServer, request as forward, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ResultDesk, ResultTool, ResultTools } from "../../src/app/engine/result-tool.ts";
import { HttpResultTools } from "../../src/mcp/result-tools.ts";

/**
 * How the server behind `submit_result` fails: nothing listens; it dies at the first call; it never answers a call; it takes
 * connections and never answers anything.
 */
export type ServerFault = "absent" | "dies" | "silent" | "mute";

/** The tool of the program, behind a server that fails. */
export class FaultyResultTools implements ResultTools {
  readonly #fault: ServerFault;
  readonly #tools = new HttpResultTools("1");
  /** How often the tool was called. */
  calls = 0;

  constructor(fault: ServerFault) {
    this.#fault = fault;
  }

  async open(desk: ResultDesk): Promise<ResultTool> {
    const tool = await this.#tools.open(desk);
    const target = new URL(tool.server.url);
    const server = createServer((request, response) => void this.#serve(server, target, request, response));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (this.#fault === "absent") end(server);
    return {
      server: { ...tool.server, url: `http://${host}${target.pathname}` },
      close: async () => {
        end(server);
        await tool.close();
      },
    };
  }

  async #serve(server: Server, target: URL, request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#fault === "mute") return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (body.includes('"tools/call"')) {
      this.calls += 1;
      if (this.#fault === "dies") end(server);
      return;
    }
    const { method, headers } = request;
    forward(target, { method, headers: { ...headers, host: target.host } }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    }).end(body);
  }
}

function end(server: Server): void {
  server.close();
  server.closeAllConnections();
}

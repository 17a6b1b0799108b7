import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { node } from "./node.ts";
import { outcomeOf, type Repo } from "./repo.ts";

const program = resolve(import.meta.dirname, "../../dist/clew.cjs");

export type Era = "modern" | "legacy";
export type Transport = "stdio" | "http";

/** Every way in which a client can talk with `clew mcp`. */
export const waysIn: [Era, Transport][] = [
  ["modern", "stdio"],
  ["legacy", "stdio"],
  ["modern", "http"],
  ["legacy", "http"],
];

/** What a tool's call gave: its data, or its error. */
export interface Called {
  isError: boolean;
  data: Record<string, unknown>;
}

/** The protocol's own client, connected with `clew mcp` in a repository. `await using` ends both. */
export class McpClient {
  readonly client: Client;
  readonly #end: () => Promise<void>;
  readonly #kill: () => void;

  private constructor(client: Client, end: () => Promise<void>, kill: () => void) {
    this.client = client;
    this.#end = end;
    this.#kill = kill;
  }

  static async connect(repo: Repo, era: Era = "modern", transport: Transport = "stdio"): Promise<McpClient> {
    const mode = era === "modern" ? "auto" : "legacy";
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    if (transport === "stdio") {
      const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...repo.env };
      const args = [program, "mcp"];
      const server = new StdioClientTransport({ command: node, args, cwd: repo.root, env, stderr: "inherit" });
      await client.connect(server);
      const kill = (): void => void process.kill(server.pid!, "SIGKILL");
      return new McpClient(client, () => client.close(), kill);
    }
    const child = repo.start(["mcp", "--http", "--json"]);
    const ended = outcomeOf(child);
    const [line] = (await once(createInterface({ input: child.stdout! }), "line")) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
    const end = async (): Promise<void> => {
      await client.close();
      child.kill("SIGINT");
      await ended;
    };
    return new McpClient(client, end, () => void child.kill("SIGKILL"));
  }

  /** Ends the server by SIGKILL, in the middle of whatever it does. */
  kill(): void {
    this.#kill();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Called> {
    const { structuredContent, isError } = await this.client.callTool({ name, arguments: args });
    return { isError: isError === true, data: structuredContent as Called["data"] };
  }

  /** A call that must be done. */
  async ask<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const { isError, data } = await this.call(name, args);
    if (isError) throw new Error(`${name}: ${JSON.stringify(data)}`);
    return data as T;
  }

  /** A call that must be refused; its error. */
  async refused(
    name: string,
    args: Record<string, unknown> = {},
  ): Promise<{ code: string; message: string; hint: string }> {
    const { isError, data } = await this.call(name, args);
    if (!isError) throw new Error(`${name} was not refused: ${JSON.stringify(data)}`);
    return data["error"] as { code: string; message: string; hint: string };
  }
}

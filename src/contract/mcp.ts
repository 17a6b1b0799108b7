import type { Json } from "./json.ts";

/** The MCP server as `clew mcp` runs it. */
export interface McpFront {
  /** Answers messages, one a line, until the lines end. A line that was too long to keep is null. */
  serveLines(lines: AsyncIterable<(string | null)[]>, write: (message: Json) => Promise<void>): Promise<void>;
  /** Serves HTTP on loopback. Throws a ClewError when no port can be had. */
  serveHttp(): Promise<McpAddress>;
}

/** Where a server listens, and the token that it asks for. */
export interface McpAddress {
  url: string;
  token: string;
  close(): Promise<void>;
}

/** By these, Clew tells `clew mcp` below an agent where that agent's results go. */
export const mcpVariables = { url: "CLEW_MCP_URL", token: "CLEW_MCP_TOKEN" } as const;

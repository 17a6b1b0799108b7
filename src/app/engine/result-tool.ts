import type { Json } from "../../contract/json.ts";

/** Gives agents the tool `submit_result`, by which they hand in the result of their step. */
export interface ResultTools {
  /**
   * Opens the tool for one agent. Rejects with a ClewError when no port of loopback can be had. The agent may call it until
   * it is closed.
   */
  open(desk: ResultDesk): Promise<ResultTool>;
}

/** Where an agent's results go. */
export interface ResultDesk {
  /** The JSON Schema of a result: an object. It is shown to the agent; `check` decides. */
  schema: Json;
  /** What is wrong with a value, or still to be done, in words that the agent can act on. */
  check(value: Json): Promise<string | undefined>;
  /** Takes a value that `check` accepted. Called again for each further one: the last one counts. */
  onResult(value: Json): void;
}

/** The tool of one agent. */
export interface ResultTool {
  server: McpServer;
  /** Ends it: the token is worth nothing from now on. May be repeated. */
  close(): Promise<void>;
}

/** An MCP server as an engine has to know it. */
export interface McpServer {
  name: string;
  url: string;
  /** They carry the agent's token: never write them down. */
  headers: Record<string, string>;
}

import type { McpServer } from "../../../app/engine/result-tool.ts";
import type { Json } from "../../../contract/json.ts";

/** A server as ACP names it to an agent. */
export function acpServers(server: McpServer | undefined): Json[] {
  if (server === undefined) return [];
  const headers = Object.entries(server.headers).map(([name, value]) => ({ name, value }));
  return [{ type: "http", name: server.name, url: server.url, headers }];
}

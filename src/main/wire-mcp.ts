import { explainError } from "../adapters/files/failure.ts";
import type { McpFront } from "../contract/mcp.ts";
import { mcpFront } from "../mcp/front.ts";
import type { Surrounding } from "./app.ts";
import { openOperations } from "./operations.ts";

/** Puts together the MCP server. Who asks it is an agent, whoever started it. */
export function openMcp(surrounding: Surrounding): McpFront {
  const asker = { name: "an agent over MCP", isPerson: false, overMcp: true } as const;
  return mcpFront({
    version: surrounding.program.version,
    env: surrounding.env,
    openOperations: () => openOperations({ ...surrounding, progress: () => undefined, asker }),
    explain: explainError,
  });
}

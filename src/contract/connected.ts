/**
 * The engine of a run whose agent steps a connected agent works on: one that a person started, and that asks over MCP what it
 * is to do and hands in what it did.
 */
export const connectedEngine = "mcp";

/** The name under which engines know our MCP server. */
export const serverName = "clew";

/** Any `clew mcp` is ours, wherever the program stood when it was installed. */
export function isOwnServer(words: readonly string[]): boolean {
  const [program = "", argument] = words.slice(-2);
  return argument === "mcp" && /(?:^|[/\\])clew(?:\.cjs)?$/.test(program);
}

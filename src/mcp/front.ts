import type { Json } from "../contract/json.ts";
import type { McpAddress, McpFront } from "../contract/mcp.ts";
import { forwardedTools, toolsWithoutStep } from "./forwarded-tools.ts";
import { errorAnswer, errorCode, readMessage } from "./json-rpc.ts";
import { LoopbackServer } from "./loopback-server.ts";
import { answerRequest, type Server } from "./protocol.ts";
import { newToken } from "./token.ts";
import type { Tools } from "./tools.ts";
import { upstreamIn } from "./upstream.ts";

/** The server of `clew mcp`. Below an agent, `env` names where that agent's results go. */
export function mcpFront(version: string, env: Record<string, string | undefined>): McpFront {
  const server = { version, tools: toolsFor(env) };
  return {
    serveLines: (lines, write) => serveLines(server, lines, write),
    serveHttp: () => serveHttp(server),
  };
}

function toolsFor(env: Record<string, string | undefined>): Tools {
  const upstream = upstreamIn(env);
  if (typeof upstream === "object") return forwardedTools(upstream);
  const why = upstream === undefined ? "Clew did not start this agent for a step" : upstream;
  return toolsWithoutStep(`no step waits for a result here: ${why}. Tell the result in your last message instead`);
}

/** One after the other: each is answered within seconds. */
async function serveLines(
  server: Server,
  lines: AsyncIterable<(string | null)[]>,
  write: (message: Json) => Promise<void>,
): Promise<void> {
  for await (const portion of lines) {
    for (const line of portion) {
      const answer = await answerLine(server, line);
      if (answer) await write(answer);
    }
  }
}

async function answerLine(server: Server, line: string | null): Promise<Json | undefined> {
  if (line === null) {
    return errorAnswer(null, { code: errorCode.invalidRequest, message: "this line is too long" }, 413).body;
  }
  if (line.trim() === "") return undefined;
  const message = readMessage(line);
  if (message.kind === "silent") return undefined;
  return (message.kind === "invalid" ? message.answer : await answerRequest(message, server)).body;
}

async function serveHttp(server: Server): Promise<McpAddress> {
  const http = await LoopbackServer.listen();
  const token = newToken();
  const url = http.add("/mcp", { token, server });
  return { url, token, close: () => http.close() };
}

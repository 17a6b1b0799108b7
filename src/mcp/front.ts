import { setTimeout as pause } from "node:timers/promises";
import type { Json } from "../contract/json.ts";
import type { McpAddress, McpFront } from "../contract/mcp.ts";
import { forwardedTools } from "./forwarded-tools.ts";
import { errorAnswer, errorCode, readMessage } from "./json-rpc.ts";
import { LoopbackServer } from "../http/loopback-server.ts";
import { mcpEndpoint } from "./endpoint.ts";
import { answerRequest, type Server } from "./protocol.ts";
import { newToken } from "./token.ts";
import type { Offers } from "./offers.ts";
import type { Explain } from "./operation-tools.ts";
import { repositoryCompletions } from "./repository-completions.ts";
import { repositoryTools } from "./repository-tools.ts";
import { sessionResources } from "./session-resources.ts";
import { spellPrompts } from "./spell-prompts.ts";
import { withApi } from "./with-api.ts";
import { upstreamIn } from "./upstream.ts";
import { WorkflowTools, type LiveOperations } from "./workflow-tools.ts";

export interface McpFrontParts {
  /** The program's. */
  version: string;
  /** Below an agent, it names where that agent's results go. */
  env: Record<string, string | undefined>;
  /** Puts the operations together for one request, or for as long as the server lives. */
  openOperations: () => LiveOperations;
  explain: Explain;
}

/** The server of `clew mcp`: below an agent that Clew started the one of that agent, else the repository's. */
export function mcpFront(parts: McpFrontParts): McpFront {
  const workflows = new WorkflowTools(parts.openOperations, parts.explain);
  const server = { version: parts.version, ...offersFor(parts, workflows) };
  return {
    async serveLines(lines, write) {
      try {
        await serveLines(server, lines, { write, onEnd: () => workflows.stop() });
      } finally {
        await workflows.close();
      }
    },
    async serveHttp() {
      const address = await serveHttp(server);
      return { ...address, close: async () => void (await Promise.all([address.close(), workflows.close()])) };
    },
  };
}

function offersFor({ env, openOperations, explain }: McpFrontParts, workflows: WorkflowTools): Offers {
  const upstream = upstreamIn(env);
  if (typeof upstream === "object") return { tools: forwardedTools(upstream) };
  const whyNoStep = upstream ?? "Clew did not start this agent for a step";
  const ask = withApi(openOperations, explain);
  return {
    tools: repositoryTools({ openOperations, explain, workflows, whyNoStep }),
    resources: sessionResources(ask),
    prompts: spellPrompts(ask),
    completions: repositoryCompletions(ask),
  };
}

/** A request that takes longer lets the next ones go before it: a client may ping while a workflow goes on. */
const patienceMs = 200;

/** One after the other, as far as they are quick. `onEnd` is called when no more lines come, and hastens what still goes on. */
async function serveLines(
  server: Server,
  lines: AsyncIterable<(string | null)[]>,
  { write, onEnd }: { write: (message: Json) => Promise<void>; onEnd: () => Promise<void> },
): Promise<void> {
  const pending = new Set<Promise<void>>();
  for await (const portion of lines) {
    for (const line of portion) {
      const answering = answerLine(server, line).then((answer) => (answer ? write(answer) : undefined));
      pending.add(answering);
      const isDone = answering.then(() => void pending.delete(answering));
      await Promise.race([isDone, pause(patienceMs, undefined, { ref: false })]);
      // One that fails later is told in the end.
      isDone.catch(() => undefined);
    }
  }
  await onEnd();
  await Promise.all(pending);
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
  const url = http.add("/mcp", mcpEndpoint(token, server));
  return { url, token, close: () => http.close() };
}

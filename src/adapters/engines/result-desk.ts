import type { AgentListeners } from "../../app/engine/agents.ts";
import type { McpServer, ResultTool, ResultTools } from "../../app/engine/result-tool.ts";
import type { Json } from "../../contract/json.ts";
import { mcpVariables } from "../../contract/mcp.ts";
import { resultOf, resultProblem, type HandedIn } from "../../engine/result-contract.ts";
import { resultSchema } from "../../engine/result-schema.ts";
import { redactValue } from "../../redact/redact-value.ts";
import type { Redactor } from "../../redact/redactor.ts";

/** Where one agent hands in its result by the tool `submit_result`. */
export class AgentResultDesk {
  readonly #redactor: Redactor;
  readonly #lacks: AgentListeners["onResult"];
  #handedIn: HandedIn = {};

  /** `lacks` is asked before a result counts. */
  constructor(redactor: Redactor, lacks?: AgentListeners["onResult"]) {
    this.#redactor = redactor;
    this.#lacks = lacks;
  }

  get handedIn(): HandedIn {
    return this.#handedIn;
  }

  /** Offers the tool while the work goes on. Without a port on loopback the agent's last message has to do. */
  async whileOpen<T>(loadTools: () => Promise<ResultTools>, work: (server?: McpServer) => Promise<T>): Promise<T> {
    let tool: ResultTool;
    try {
      const tools = await loadTools();
      tool = await tools.open({
        schema: resultSchema,
        check: (value) => this.#check(value),
        onResult: (value) => {
          this.#handedIn = { result: resultOf(redactValue(value, this.#redactor.redact)) };
        },
      });
    } catch {
      return work();
    }
    try {
      return await work(tool.server);
    } finally {
      await tool.close();
    }
  }

  async #check(value: Json): Promise<string | undefined> {
    const problem = resultProblem(value) ?? (await this.#lacks?.(resultOf(value)));
    if (problem === undefined) return undefined;
    this.#handedIn = { ...this.#handedIn, complaint: problem };
    return `the result ${problem}`;
  }
}

/** For the engine, and for `clew mcp` below it. What an outer agent got must not reach this one. */
export function mcpEnvironment(server: McpServer | undefined): Record<string, string | undefined> {
  const token = server?.headers["authorization"]?.replace(/^Bearer /, "");
  return { [mcpVariables.url]: server?.url, [mcpVariables.token]: token };
}

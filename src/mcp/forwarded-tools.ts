import { anyResult } from "./any-result.ts";
import { instructions, shapeProblemOf, submitResultName, submitResultTool } from "./submit-result.ts";
import { failedCall, type Tool, type ToolResult, type Tools } from "./tools.ts";
import { askUpstream, type Upstream } from "./upstream.ts";

/** The tools of the agent below which this process runs: another process of Clew's has them. */
export function forwardedTools(upstream: Upstream): Tools {
  return {
    instructions,
    async list() {
      try {
        const { tools } = await askUpstream(upstream, "tools/list", {});
        if (!Array.isArray(tools)) throw new Error("this is no list of tools");
        return tools as Tool[];
      } catch {
        // A client that gets no list gives the server up for good; a call says what is wrong.
        return [submitResultTool(anyResult)];
      }
    },
    async call(name, args) {
      if (name !== submitResultName) return undefined;
      const problem = shapeProblemOf(args);
      if (problem !== undefined) return failedCall(problem);
      try {
        const { content, structuredContent, isError } = await askUpstream(upstream, "tools/call", {
          name,
          arguments: args,
        });
        return { content, structuredContent, ...(isError === true && { isError }) } as ToolResult;
      } catch (error) {
        return failedCall(`the step that waits for this result cannot be reached: ${(error as Error).message}`);
      }
    },
  };
}

import { instructions, shapeProblemOf, submitResultName, submitResultTool } from "./submit-result.ts";
import { failedCall, type Tool, type ToolResult, type Tools } from "./tools.ts";
import { askUpstream, type Upstream } from "./upstream.ts";

/** The form that every result has. A step's own says more. */
const anyResult = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "false if you could not do what was asked" },
    summary: { type: "string", description: "one to three sentences for a person: what you did, or what is missing" },
    outputs: { type: "object", description: "what you were asked to return, by name" },
    status: { enum: ["paused"], description: "only if you were asked to pause" },
  },
  required: ["success", "summary"],
};

/** The tools where no step waits for a result. `why` says so. */
export function toolsWithoutStep(why: string): Tools {
  return {
    instructions: "No step of Clew waits for a result here. There is nothing to call.",
    list: async () => [submitResultTool(anyResult)],
    call: async (name) => (name === submitResultName ? failedCall(why) : undefined),
  };
}

/** The tools of the agent below which this process runs: another process of Clew's has them. */
export function forwardedTools(upstream: Upstream): Tools {
  const offline = toolsWithoutStep("");
  return {
    instructions,
    async list() {
      try {
        const { tools } = await askUpstream(upstream, "tools/list", {});
        if (!Array.isArray(tools)) throw new Error("this is no list of tools");
        return tools as Tool[];
      } catch {
        // A client that gets no list gives the server up for good; a call says what is wrong.
        return offline.list();
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

import type { ResultDesk } from "../app/engine/result-tool.ts";
import type { Json } from "../contract/json.ts";
import { isNestedDeeperThan, maxDepth } from "../http/depth.ts";
import { isObject } from "../text/is-object.ts";
import { failedCall, toolResult, type Tool, type ToolResult, type Tools } from "./tools.ts";

export const submitResultName = "submit_result";

export const instructions =
  `Clew waits for the result of your work. When you are done, or cannot go on, call the tool ${submitResultName} with ` +
  `"success", "summary" and, where you were asked for values, "outputs". If it is refused, it says why: correct the result and call it ` +
  `again. The last accepted result counts.`;

/** How the tool is described to an agent. It changes nothing that the agent can see, so that no engine need ask a person for it. */
export function submitResultTool(schema: Json): Tool {
  return {
    name: submitResultName,
    title: "Submit the result of this step",
    description:
      "Hands in the result of your work. Call it when you are done, or when you cannot go on (success: false). " +
      "It answers at once; a refused result says what to correct. You may call it again: the last accepted result counts.",
    inputSchema: schema,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    // Claude Code hides the tools of servers until a model looks for them; this one it must see.
    _meta: { "anthropic/alwaysLoad": true },
  };
}

/** What is wrong with a value before anything looks into it. */
export function shapeProblemOf(value: Json): string | undefined {
  if (!isObject(value)) return "the result must be a JSON object with success and summary";
  if (!isNestedDeeperThan(value, maxDepth)) return undefined;
  return `the result is nested more than ${maxDepth} levels deep: make it flatter`;
}

/** The tools of one agent whose results go to this desk. */
export function deskTools(desk: ResultDesk): Tools {
  return {
    instructions,
    list: async () => [submitResultTool(desk.schema)],
    call: async (name, args) => (name === submitResultName ? submit(desk, args) : undefined),
  };
}

async function submit(desk: ResultDesk, value: Json): Promise<ToolResult> {
  const shapeProblem = shapeProblemOf(value);
  if (shapeProblem !== undefined) return failedCall(shapeProblem);
  try {
    const problem = await desk.check(value);
    if (problem !== undefined) return failedCall(problem);
    desk.onResult(value);
    return toolResult({ accepted: true });
  } catch (error) {
    return failedCall(`Clew could not take the result: ${error instanceof Error ? error.message : String(error)}`);
  }
}

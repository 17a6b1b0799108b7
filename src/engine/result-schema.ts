import type { Json } from "../contract/json.ts";

/** The form of an agent's result for engines that take a JSON Schema; `agentResult` in the contract judges it. */
export const resultSchema: Json = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "false if you could not do what was asked" },
    summary: { type: "string", description: "what you did, or what is missing, in one to three sentences" },
    status: { type: "string", enum: ["paused"], description: "only if you stop before you are done" },
    task: { type: "string", description: "in a work session: the id of the task that this is the result of" },
    outputs: { type: "object", description: "what you were asked to return, by name", additionalProperties: true },
  },
  required: ["success", "summary"],
};

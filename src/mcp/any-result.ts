/** The form that every result of a step has. A step's own says more. */
export const anyResult = {
  type: "object",
  properties: {
    success: { type: "boolean", description: "false if you could not do what was asked" },
    summary: { type: "string", description: "one to three sentences for a person: what you did, or what is missing" },
    outputs: { type: "object", description: "what you were asked to return, by name" },
    status: { enum: ["paused"], description: "only if you were asked to pause" },
  },
  required: ["success", "summary"],
};

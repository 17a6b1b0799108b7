import type { HookAnswer, HookEngine } from "../contract/hook.ts";

type Fields = Record<string, unknown>;

const geminiNames: Record<string, string> = {
  PreToolUse: "BeforeTool",
  PostToolUse: "AfterTool",
  UserPromptSubmit: "BeforeAgent",
  Stop: "AfterAgent",
};

/** The events at which an engine hands `additionalContext` to the model. */
const contextEvents = new Set([
  "PreToolUse",
  "PostToolUse",
  "PostToolUseFailure",
  "PostToolBatch",
  "SessionStart",
  "UserPromptSubmit",
  "SubagentStart",
]);

/** The JSON object that says an answer to an engine; empty when there is nothing to say. Opencode's is read by our own plugin. */
export function answerFields(engine: HookEngine, event: string, answer: HookAnswer): Fields {
  if (engine === "opencode") return { ...answer };
  const specific = { ...decisionFields(engine, event, answer), ...addedFields(engine, event, answer) };
  const hookEventName = engine === "gemini" ? (geminiNames[event] ?? event) : event;
  return {
    ...blockFields(engine, event, answer),
    ...stopFields(engine, event, answer),
    ...(Object.keys(specific).length > 0 && { hookSpecificOutput: { hookEventName, ...specific } }),
  };
}

/** Before a tool call, and where a permission is asked for. */
function decisionFields(engine: HookEngine, event: string, { decision, reason, input }: HookAnswer): Fields {
  if (event === "PermissionRequest") return permissionFields(engine, { decision, reason, input } as HookAnswer);
  if (event !== "PreToolUse") return {};
  if (engine === "gemini") return input ? { tool_input: input } : {};
  const isRewritten = input !== undefined && decision !== "deny";
  // Codex knows an allow only with another input, and takes one without for a failure.
  const said = decision ?? (isRewritten && engine === "codex" ? "allow" : undefined);
  const isSaid = said !== undefined && (engine !== "codex" || said !== "allow" || isRewritten);
  return {
    ...(isSaid && { permissionDecision: said }),
    ...(isSaid && reason !== undefined && { permissionDecisionReason: reason }),
    ...(isSaid && said === "deny" && reason === undefined && { permissionDecisionReason: "not allowed here" }),
    ...(isRewritten && { updatedInput: input }),
  };
}

/** Silence lets the engine ask, as it was about to. */
function permissionFields(engine: HookEngine, { decision, reason, input }: HookAnswer): Fields {
  if (decision === "deny") return { decision: { behavior: "deny", ...(reason !== undefined && { message: reason }) } };
  if (decision !== "allow") return {};
  const isRewritten = input !== undefined && engine === "claude";
  return { decision: { behavior: "allow", ...(isRewritten && { updatedInput: input }) } };
}

function addedFields(engine: HookEngine, event: string, { context, output }: HookAnswer): Fields {
  const isAfter = event === "PostToolUse" && output !== undefined;
  return {
    ...(context !== undefined && contextEvents.has(event) && { additionalContext: context }),
    ...(isAfter &&
      engine === "gemini" && { tool_output: typeof output === "string" ? output : JSON.stringify(output) }),
    ...(isAfter && engine !== "gemini" && { updatedMCPToolOutput: output }),
  };
}

/** Gemini's decision before a tool; what blocks a prompt, an end or a compaction. */
function blockFields(engine: HookEngine, event: string, { decision, reason }: HookAnswer): Fields {
  const isToolCall = event === "PreToolUse" && engine === "gemini";
  if (isToolCall && decision === "allow") return { decision: "allow" };
  if (decision !== "deny" || event === "PermissionRequest") return {};
  if (event === "PreToolUse" && !isToolCall) return {};
  const why = reason ?? "not allowed here";
  if (event === "PreCompact" && engine === "codex") return { continue: false, stopReason: why };
  return { decision: engine === "gemini" ? "deny" : "block", reason: why };
}

/** Codex takes an order to stop before a tool call for a failure, and lets the tool run: there, only the call is denied. */
function stopFields(engine: HookEngine, event: string, { stop }: HookAnswer): Fields {
  if (stop === undefined) return {};
  const canStop = engine !== "codex" || (event !== "PreToolUse" && event !== "PermissionRequest");
  return canStop ? { continue: false, stopReason: stop } : {};
}

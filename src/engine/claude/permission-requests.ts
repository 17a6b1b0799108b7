import type { CallAction, EngineEvent, PermissionOption } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import { isEditTool } from "../edit-tools.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";
import { isReadTool, isShellTool } from "../tool-kinds.ts";

const allowOrDeny: PermissionOption[] = [
  { id: "allow", label: "Allow", kind: "allow_once" },
  { id: "deny", label: "Deny", kind: "reject_once" },
];
const alwaysToo: PermissionOption[] = [
  ...allowOrDeny,
  { id: "always", label: "Allow in this session", kind: "allow_always" },
];

/** The rules that would allow a call and its like; for this session alone, whatever the engine suggests: no file keeps them. */
export function sessionRules(request: Fields): Json[] {
  return listOf(request.permission_suggestions).flatMap((each) => {
    const suggestion = fieldsOf(each);
    const isRule = suggestion.type === "addRules" && suggestion.behavior === "allow";
    return isRule ? [{ ...suggestion, destination: "session" }] : [];
  });
}

/** Names of tools: those of Claude first, then those of Qwen. */
function actionOf(tool: string, input: Fields): CallAction | undefined {
  // What Glob looks for is a path as well.
  const pattern = tool.toLowerCase() === "glob" ? input.pattern : undefined;
  const paths = [input.file_path, input.notebook_path, input.path, pattern].flatMap((path) => textOf(path) ?? []);
  const command = textOf(input.command);
  if (isReadTool(tool)) return { kind: "read", paths };
  if (isEditTool(tool)) return { kind: "edit", paths };
  if (isShellTool(tool) && command !== undefined) return { kind: "run", command };
  if (tool === "mcp__clew__submit_result") return { kind: "result" };
  return undefined;
}

export function permissionEvents(fields: Fields): EngineEvent[] {
  const request = fieldsOf(fields.request);
  const id = textOf(fields.request_id);
  const tool = textOf(request.tool_name);
  if (request.subtype !== "can_use_tool" || id === undefined || tool === undefined) return [];
  const call = textOf(request.tool_use_id);
  const action = actionOf(tool, fieldsOf(request.input));
  const options = sessionRules(request).length > 0 ? alwaysToo : allowOrDeny;
  const permission = { id, tool, input: request.input ?? {}, options, ...(action && { action }) };
  return [{ type: "permission", ...permission, ...(call !== undefined && { tool_call: call }) }];
}

/** Another surface, such as a hook, has answered first. */
export function withdrawalEvents(fields: Fields): EngineEvent[] {
  const id = textOf(fields.request_id);
  return id === undefined ? [] : [{ type: "permission", id, tool: "", input: {}, options: [], withdrawn: true }];
}

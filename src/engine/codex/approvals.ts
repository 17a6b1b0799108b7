import type { CallAction, PermissionEvent, PermissionOption } from "../../contract/engine.ts";
import type { Json } from "../../contract/json.ts";
import { fieldsOf, listOf, textOf, type Fields } from "../read-fields.ts";
import { changedPaths, innerCommand, mcpToolName, toolIn } from "./items.ts";

/** A question of the server, and what to answer for each option. */
export interface Approval {
  permission: Omit<PermissionEvent, "type" | "id" | "options">;
  answers: Record<string, Json>;
}

export interface Surroundings {
  /** The folder that the agent works in. */
  folder: string;
  /** The items that have begun and not ended, by id. */
  items: ReadonlyMap<string, Fields>;
}

/** `cancel` is never among them: it would end the turn. */
const kinds: Record<string, PermissionOption> = {
  accept: { id: "accept", label: "Allow", kind: "allow_once" },
  acceptForSession: { id: "acceptForSession", label: "Allow for this session", kind: "allow_always" },
  decline: { id: "decline", label: "Deny", kind: "reject_once" },
};

export function optionsOf({ answers }: Approval): PermissionOption[] {
  return Object.values(kinds).filter(({ id }) => id in answers);
}

/** Undefined for a request that asks for no permission. */
export function approvalIn(method: string, params: Fields, surroundings: Surroundings): Approval | undefined {
  switch (method) {
    case "item/commandExecution/requestApproval":
      return commandApproval(params, surroundings);
    case "item/fileChange/requestApproval":
      return changeApproval(params, surroundings);
    case "mcpServer/elicitation/request":
      return toolApproval(params, surroundings);
    default:
      return undefined;
  }
}

function commandApproval(params: Fields, { folder }: Surroundings): Approval {
  const command = innerCommand(textOf(params.command) ?? "");
  const cwd = textOf(params.cwd);
  const isPlain =
    command !== "" &&
    (params.kind ?? "command") === "command" &&
    isNothing(params.networkApprovalContext) &&
    isNothing(params.additionalPermissions) &&
    (cwd === undefined || cwd === folder || cwd.startsWith(`${folder}/`));
  const reason = textOf(params.reason);
  const input = { command, ...(cwd && { cwd }), ...(reason && { reason }) };
  const action: CallAction | undefined = isPlain ? { kind: "run", command } : undefined;
  const mayStay = listOf(params.availableDecisions).includes("acceptForSession");
  return {
    permission: { tool: "shell", input, ...callOf(params), ...(action && { action }) },
    answers: decisions(mayStay),
  };
}

/** The request does not say what changes: the item that began before it does. */
function changeApproval(params: Fields, { items }: Surroundings): Approval {
  const item = items.get(textOf(params.itemId) ?? "") ?? {};
  const root = textOf(params.grantRoot);
  const paths = [...changedPaths(item), ...(root === undefined ? [] : [root])];
  const input = { path: paths.join(", "), changes: listOf(item.changes), ...(root && { grant_root: root }) };
  const action: CallAction = { kind: "edit", paths };
  return {
    permission: { tool: "apply_patch", input, ...callOf(params), action },
    answers: decisions(root === undefined),
  };
}

/** The server has no other way to ask for a call of an MCP tool. It names neither the call nor, but in words, the tool. */
function toolApproval(params: Fields, { items, folder }: Surroundings): Approval | undefined {
  const { codex_approval_kind, tool_params } = fieldsOf(params._meta);
  if (codex_approval_kind !== "mcp_tool_call") return undefined;
  const server = textOf(params.serverName);
  const isIt = (item: Fields): boolean =>
    item.type === "mcpToolCall" && item.server === server && sameJson(item.arguments ?? {}, tool_params ?? {});
  const [call, item] = [...items].find(([, one]) => isIt(one)) ?? [];
  const tool = textOf(item?.tool) ?? /\btool "([\w.-]+)"/.exec(textOf(params.message) ?? "")?.[1];
  const isResult = server === "clew" && tool === "submit_result";
  return {
    permission: {
      tool: (item && toolIn(item, folder)?.name) ?? mcpToolName(server, tool),
      input: tool_params ?? {},
      ...(call !== undefined && { tool_call: call }),
      ...(isResult && { action: { kind: "result" } as const }),
    },
    answers: {
      accept: { action: "accept", content: {}, _meta: null },
      decline: { action: "decline", content: null, _meta: null },
    },
  };
}

function decisions(mayStay: boolean): Record<string, Json> {
  const ids = ["accept", ...(mayStay ? ["acceptForSession"] : []), "decline"];
  return Object.fromEntries(ids.map((decision) => [decision, { decision }]));
}

function callOf({ itemId }: Fields): { tool_call?: string } {
  const id = textOf(itemId);
  return id === undefined ? {} : { tool_call: id };
}

function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null;
}

function sameJson(one: Json, other: Json): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

import type { Api } from "../contract/api/api.ts";
import type { Operation } from "../contract/api/operation.ts";
import { operations } from "../contract/api/table.ts";
import { ClewError } from "../contract/errors.ts";
import type { Json } from "../contract/json.ts";
import { inputSchemaOf } from "./input-schema.ts";
import type { JsonObject } from "./json-rpc.ts";
import { readInput } from "./read-input.ts";
import { toolTable, type ToolEntry } from "./tool-table.ts";
import { refusedCall, toolResult, type Tool, type ToolResult } from "./tools.ts";

/** Puts the operations together for one request: it sees settings and files as they are now. */
export type OpenOperations = () => { api: Api; close: () => Promise<void> };

/** An error as one that a person can act on; any other as it is. */
export type Explain = (error: unknown) => unknown;

const entries = Object.entries(toolTable) as [string, ToolEntry][];

/** The tools of the table, as a client sees them. */
export function operationTools(): Tool[] {
  return entries.map(([name, { title, about, operation, input, fields }]) => {
    const { effect, request } = operationOf(operation);
    const isRead = effect === "reads";
    return {
      name,
      title,
      description: about,
      inputSchema: inputSchemaOf(input ?? request, fields),
      annotations: { readOnlyHint: isRead, destructiveHint: false, idempotentHint: isRead, openWorldHint: false },
    };
  });
}

/** Calls a tool of the table; undefined when there is none of that name. Never throws. */
export async function callOperationTool(
  name: string,
  args: Json,
  { openOperations, explain }: { openOperations: OpenOperations; explain: Explain },
): Promise<ToolResult | undefined> {
  const entry = entries.find(([each]) => each === name)?.[1];
  if (!entry) return undefined;
  return answeredCall(explain, async () => {
    const { request, paged } = operationOf(entry.operation);
    const given = readInput(name, entry.input ?? request, args);
    const input = paged ? { limit: defaultLimit, ...given } : given;
    const { api, close } = openOperations();
    try {
      const [resource = "", operation = ""] = entry.operation.split(".");
      const call = (api as unknown as Record<string, Record<string, (request: unknown) => Promise<JsonObject>>>)[
        resource
      ]!;
      return await call[operation]!(entry.request ? entry.request(input) : input);
    } finally {
      await close();
    }
  });
}

/** A model has to read all that it is told. */
const defaultLimit = 50;

/** Engines cut longer answers off in the middle. */
const maxResultChars = 1_000_000;

/** What a call gives, or why it was refused: models see both, and act on them. */
export async function answeredCall(explain: Explain, work: () => Promise<JsonObject>): Promise<ToolResult> {
  try {
    const result = toolResult(await work());
    const chars = result.content[0]!.text.length;
    if (chars <= maxResultChars) return result;
    const hint = "ask for less: a smaller limit, session_context with a budget, or session_search";
    return refusedCall(new ClewError("too_large", `the answer has ${chars} characters`, hint));
  } catch (error) {
    const explained = explain(error);
    if (explained instanceof ClewError) return refusedCall(explained);
    const message = "something went wrong that was not expected";
    return refusedCall(
      new ClewError("internal", message, "clew doctor looks for what may be broken", { cause: error }),
    );
  }
}

function operationOf(name: ToolEntry["operation"]): Operation {
  const [resource = "", operation = ""] = name.split(".");
  return (operations as unknown as Record<string, Record<string, Operation>>)[resource]![operation]!;
}

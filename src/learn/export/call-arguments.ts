import type { ToolEntry } from "../../contract/session.ts";
import { shellCommand } from "../cases/call-key.ts";
import { parseObjectArgs } from "../logged-calls/shell-call.ts";

/** What a tool was called with, as an object: the forms of others have it so. */
export function callArguments(entry: ToolEntry): Record<string, unknown> {
  const input = parseObjectArgs(entry.args);
  if (input) return input;
  if (entry.args === "") return {};
  const command = shellCommand(entry);
  return command === undefined ? { input: entry.args } : { command };
}

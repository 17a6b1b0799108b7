import type { Json } from "../../contract/json.ts";
import { exitCodeOf } from "../../engine/claude/exit-code.ts";
import { fieldsOf } from "../../engine/read-fields.ts";

/** How a command ended, as the hook after it tells; undefined where it does not. Qwen tells it to its hooks alone. */
export function exitInHook(fields: Record<string, unknown>, failed: boolean): number | undefined {
  const response = fields["tool_response"] as Json | undefined;
  const output = failed ? fields["error"] : fieldsOf(response)["llmContent"];
  return exitCodeOf(typeof output === "string" ? output : "", failed, response);
}
